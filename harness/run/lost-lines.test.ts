/** A run that has lost lines in the middle is not resumed: new lines would be appended in the wrong place, and make the run invalid. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { planBlocks } from "../plan/blocks.ts";
import { type ChunkSizes, chunkSizesOf } from "../plan/chunk-sizes.ts";
import { blockRun } from "../record/find-run.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { unpackRun } from "../record/pack.ts";
import { readRun } from "../record/records.ts";
import { refuseLostLines } from "./lost-lines.ts";
import { recordedOf } from "./recorded-lines.ts";

const folder = mkdtempSync("/tmp/lost-lines-");
after(() => rmSync(folder, { recursive: true }));
const sizes = chunkSizesOf({});

/** Changes a file's lines in a copy of a run on the virtual clock, and checks whether the copy may be resumed. */
function resume(file: string, change: (lines: string[]) => string[], as: ChunkSizes | null = sizes): void {
  rmSync(folder, { recursive: true });
  cpSync(blockRun, folder, { recursive: true });
  unpackRun(folder);
  const path = `${folder}/${file}.jsonl`;
  writeFileSync(path, `${change(readFileSync(path, "utf8").trim().split("\n")).join("\n")}\n`);
  const run = readRun(folder);
  const conditions = conditionsOfRun(run.manifest);
  const plan = planBlocks(conditions, run.manifest.loads, run.manifest.seed);
  refuseLostLines(run, { plan, recorded: recordedOf(run, conditions), sizes: as });
}
const without = (i: number) => (lines: string[]) => lines.toSpliced(i, 1);
const torn = (i: number) => (lines: string[]) => lines.with(i, lines[i]!.slice(0, 100));

test("a truncated or removed line is reported if later lines of its chunk exist", () => {
  assert.throws(
    () => resume("loads", torn(5)),
    /loads\.jsonl, line 6: it is not a complete record\n.*lacks block 1, .*a later line/s,
  );
  assert.throws(
    () => resume("loads", without(5)),
    /\n {2}loads\.jsonl lacks block 1, attempt 1, \S+, of chunk \d+; a later line of that chunk exists: block 1/,
  );
  assert.throws(() => resume("calibration", torn(1)), /calibration\.jsonl lacks measurement \d+\.\d+, which precedes/);
});

test("a line that is not a record is reported with its file and number", () => {
  const changed = (lines: string[]) => lines.with(5, lines[5]!.replace('"block":1', '"block":"1"'));
  assert.throws(() => resume("loads", changed), /loads\.jsonl, line 6: block/);
  assert.throws(() => resume("lanes", (lines) => lines.with(1, "{}")), /lanes\.jsonl, record 2: /);
});

test("a run can be resumed if a crash cut off the last lines of a chunk", () => {
  resume("loads", (lines) => lines);
  resume("loads", (lines) => torn(lines.length - 1)(lines));
  resume("loads", (lines) => lines.slice(0, 7));
  resume("lanes", torn(1));
});

test("on the real clock, a run that lost a line of lanes.jsonl is not resumed; a run that lost a line of loads.jsonl can be resumed", () => {
  assert.throws(() => resume("lanes", without(2), null), /lanes\.jsonl lacks lane \d+, which made loads/);
  resume("loads", without(5), null);
});
