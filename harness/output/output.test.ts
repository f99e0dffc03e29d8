import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** Files that may write without `print` and `say`: the file that defines both, and the files that write exported data and a lane's error. */
const others = ["output/output.ts", "cli/commands/export.ts", "lane/lane.ts"];

test("the harness prints only with `print` and `say`, which escape control sequences in foreign text", () => {
  const files = readdirSync("harness", { recursive: true, encoding: "utf8" });
  const printing = files
    .filter((file) => /(?<!\.test|\.fixture)\.tsx?$/.test(file) && !others.includes(file))
    .filter((file) => /\bconsole\.|std(out|err)\.write/.test(readFileSync(`harness/${file}`, "utf8")));
  assert.deepEqual(printing, []);
});
