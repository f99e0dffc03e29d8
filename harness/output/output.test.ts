import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** These files may write to stdout themselves: they write raw data files, or a lane's last message to its runner. */
const others = ["output/output.ts", "cli/commands/export.ts", "lane/lane.ts"];

test("the harness prints only with `print` and `say`, which escape control sequences in foreign text", () => {
  const files = readdirSync("harness", { recursive: true, encoding: "utf8" });
  const printing = files
    .filter((file) => /(?<!\.test|\.fixture)\.tsx?$/.test(file) && !others.includes(file))
    .filter((file) => /\bconsole\.|std(out|err)\.write/.test(readFileSync(`harness/${file}`, "utf8")));
  assert.deepEqual(printing, []);
});
