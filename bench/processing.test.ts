import assert from "node:assert/strict";
import { test } from "node:test";
import { sweepMarkdown } from "./processing.ts";

test("the table has each speedup with four wake-up times of programs, and its largest change from the speedup with the default wake-up time", () => {
  const runs = [1.1, 1.02, 1, 0.95].map((speedup) => new Map([["HTTP/3: C", speedup]]));
  assert.match(sweepMarkdown(runs), /1\.100 \|\s+1\.020 \|\s+1\.000 \|\s+0\.950 \|\s+10\.0% \|/);
});
