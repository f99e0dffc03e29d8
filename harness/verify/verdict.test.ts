import assert from "node:assert/strict";
import { test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { verdictOn } from "../judge/run/judged-loads.ts";
import type { RunVerdict } from "../judge/run/run-verdict.ts";
import { blockRun } from "../record/find-run.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { verdictOf } from "./verdict.ts";
import { renderVerification } from "./verification.ts";

const { folder, manifest } = openRun(blockRun);
const whole = verdictOn(readSavedRun(folder, manifest));
const good: RunVerdict = {
  ...whole,
  valid: whole.loads,
  invalid: [],
  wrongLinks: 0,
  missing: 0,
  problems: [],
  losses: whole.losses.map((loss) => ({ ...loss, withinTolerance: true })),
};
const firstLine = (run: RunVerdict) => renderVerification(run).split("\n")[0]!;

test("a run without a problem is valid, with exit code 0", () => {
  assert.equal(verdictOf(good).exitCode, ExitCode.done);
  assert.match(firstLine(good), /^Valid: 288 of 288 loads; \d+ flagged, .*\d+ failed loads?, 0 missing\.$/);
});

test("a condition's loads are counted once, even if they leave several axes unconfirmed", () => {
  const hidden = (condition: string, axis: string) => ({ condition, axis, loads: 20 });
  const neverConfirmed = [hidden("A", "up"), hidden("A", "down"), hidden("B", "up")];
  assert.match(
    firstLine({ ...good, neverConfirmed }),
    /; \d+ flagged, 40 in conditions with an axis that no load confirms, /,
  );
});

test("a loss that is out of tolerance over all loads makes the run invalid, although every load is valid by itself", () => {
  const losses = good.losses.map((loss, i) => ({ ...loss, withinTolerance: i !== 2 }));
  const wrong = { ...good, losses };
  const { link, direction } = losses[2]!;
  assert.equal(verdictOf(wrong).exitCode, ExitCode.wrongLink);
  assert.ok(
    firstLine(wrong).startsWith(`Invalid: over all loads the loss was not as configured on ${link} ${direction};`),
  );
  assert.match(firstLine(wrong), /by themselves 288 of 288 loads are valid/);
});

test("the most severe problem decides the exit code, and every problem is named", () => {
  const invalid = [{ condition: "A", block: 1, attempt: 1, reasons: ["x"] }];
  const several = { ...good, invalid, wrongLinks: 1, problems: ["a line"], missing: 2 };
  assert.equal(verdictOf(several).exitCode, ExitCode.wrongLink);
  assert.equal(verdictOf({ ...several, wrongLinks: 0 }).exitCode, ExitCode.failed);
  for (const fault of [/1 load had a link/, /1 load is invalid/, /1 problem in the run's files/, /2 loads are missing/])
    assert.match(firstLine(several), fault);
});

test("a run that lacks loads but has no other problem is incomplete", () => {
  assert.equal(verdictOf({ ...good, missing: 3 }).exitCode, ExitCode.loadsMissing);
  assert.match(
    firstLine({ ...good, missing: 3 }),
    /^Incomplete: 3 loads are missing; valid: 288 of 288 loads in the run;/,
  );
});
