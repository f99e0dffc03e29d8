import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** Files of data go to stdout as they are, and a lane's last words to its runner. */
const others = ["output/output.ts", "cli/commands/export.ts", "lane/lane.ts"];

test("commands print by print and say alone, which foreign words do not get through", () => {
  const files = readdirSync("harness", { recursive: true, encoding: "utf8" });
  const printing = files
    .filter((file) => /(?<!\.test|\.fixture)\.tsx?$/.test(file) && !others.includes(file))
    .filter((file) => /\bconsole\.|std(out|err)\.write/.test(readFileSync(`harness/${file}`, "utf8")));
  assert.deepEqual(printing, []);
});
