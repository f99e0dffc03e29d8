import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { blockRun } from "../record/find-run.ts";
import { openRun } from "../record/run-folder.ts";
import { copyPlan, exitCodeOf, isReproduced, noteReproduced, outcomeOf } from "./reproduce.ts";

const folder = mkdtempSync(`${tmpdir()}/lab-`);
after(() => rmSync(folder, { recursive: true }));

test("isReproduced is true if at least the requested number of the run's chunks were reproduced earlier with the same seed", () => {
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

test("copyPlan copies a run's plan; a second copy into the same folder causes no error", () => {
  const sample = `${folder}/sample`;
  for (let time = 0; time < 2; time++) copyPlan(blockRun, sample);
  assert.deepEqual(openRun(sample).manifest, openRun(blockRun).manifest);
});

test('outcomeOf is "different" only if the lab failed after it had printed a comparison', () => {
  assert.equal(outcomeOf(ExitCode.done, true), "the same");
  assert.equal(outcomeOf(ExitCode.failed, true), "different");
  assert.equal(outcomeOf(ExitCode.otherVersions, true), "other versions");
  for (const code of [ExitCode.failed, ExitCode.machineCannot, ExitCode.usage])
    assert.equal(outcomeOf(code, false), "not repeated");
});

test("the exit code is that of the most severe outcome", () => {
  assert.equal(exitCodeOf(["the same"]), ExitCode.done);
  assert.equal(exitCodeOf(["the same", "other versions"]), ExitCode.otherVersions);
  assert.equal(exitCodeOf(["other versions", "not repeated", "the same"]), ExitCode.notRepeated);
  assert.equal(exitCodeOf(["not repeated", "different", "other versions"]), ExitCode.failed);
});
