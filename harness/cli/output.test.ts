import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

test("commands print by print and say alone, which foreign words do not get through; files of data go to stdout as they are", () => {
  const files = readdirSync("harness/cli", { recursive: true, encoding: "utf8" });
  const others = files
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !["output.ts", "commands/export.ts"].includes(file))
    .filter((file) => /\bconsole\.|std(out|err)\.write/.test(readFileSync(`harness/cli/${file}`, "utf8")));
  assert.deepEqual(others, []);
});
