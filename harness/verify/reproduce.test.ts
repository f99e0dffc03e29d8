import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { blockRun, openRun } from "../record/run-folder.ts";
import { copyPlan, isReproduced, noteReproduced } from "./reproduce.ts";

const folder = mkdtempSync(`${tmpdir()}/lab-`);
after(() => rmSync(folder, { recursive: true }));

test("what came out the same is not made again, nor is a smaller part of the same run by the same seed", () => {
  const notes = `${folder}/notes/reproduced`;
  assert.equal(isReproduced("0a", 1, 3, notes), false);
  noteReproduced("0a", 1, 3, notes);
  const asked: [string, number, number][] = [
    ["0a", 1, 3],
    ["0a", 1, 2],
    ["0a", 1, 4],
    ["0a", 2, 3],
    ["0b", 1, 3],
  ];
  assert.deepEqual(
    asked.map((part) => isReproduced(...part, notes)),
    [true, true, false, false, false],
  );
});

test("another sample of a run has its plan and none of its loads, and is planned only once", () => {
  const sample = `${folder}/sample`;
  for (let time = 0; time < 2; time++) copyPlan(blockRun, sample);
  assert.deepEqual(openRun(sample).manifest, openRun(blockRun).manifest);
});
