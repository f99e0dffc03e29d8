import assert from "node:assert/strict";
import { test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { type Verification, verify } from "../judge/verify.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun, referenceRun } from "../record/run-folder.ts";
import { verdictOf } from "./verdict.ts";
import { renderVerification } from "./verification.ts";

const { folder, manifest } = openRun(referenceRun);
const whole = verify(readSavedRun(folder, manifest));
const good: Verification = {
  ...whole,
  vouched: whole.loads,
  doubted: [],
  wrongLinks: 0,
  missing: 0,
  problems: [],
  losses: whole.losses.map((loss) => ({ ...loss, honest: true })),
};
const firstLine = (verification: Verification) => renderVerification(verification).split("\n")[0]!;

test("a run without a fault is vouched for, and ends with 0", () => {
  assert.equal(verdictOf(good).exitCode, ExitCode.done);
  assert.match(
    firstLine(good),
    /^Vouched for by what version 2 kept: 576 of 576 loads; \d+ flagged, \d+ failed tries, 0 missing\.$/,
  );
});

test("loads of conditions that no load could show whole are counted once, whatever could not be shown", () => {
  const hidden = (condition: string, axis: string) => ({ condition, axis, loads: 20 });
  const neverShown = [hidden("A", "up"), hidden("A", "down"), hidden("B", "up")];
  assert.match(firstLine({ ...good, neverShown }), /; \d+ flagged, 40 in conditions that no load could show whole, /);
});

test("a pooled loss out of its bounds is the verdict, though every load passes by itself", () => {
  const losses = good.losses.map((loss, i) => ({ ...loss, honest: i !== 2 }));
  const wrong = { ...good, losses };
  const { link, direction } = losses[2]!;
  assert.equal(verdictOf(wrong).exitCode, ExitCode.wrongLink);
  assert.ok(
    firstLine(wrong).startsWith(
      `Not vouched for: over all loads the loss was not what was asked for on ${link} ${direction};`,
    ),
  );
  assert.match(firstLine(wrong), /by themselves 576 of 576 loads are what their rows say/);
});

test("the gravest fault decides the exit code, and every fault is named", () => {
  const doubted = [{ condition: "A", block: 1, attempt: 1, reasons: ["x"] }];
  const chain = { head: "", breaks: ["chunk 3"] };
  const several = { ...good, doubted, wrongLinks: 1, chain, problems: ["a line"], missing: 2 };
  assert.equal(verdictOf(several).exitCode, ExitCode.wrongLink);
  assert.equal(verdictOf({ ...several, wrongLinks: 0 }).exitCode, ExitCode.failed);
  for (const fault of [
    /1 load had a link/,
    /1 load is not what/,
    /broken in 1 place;/,
    /1 line is no record/,
    /2 loads are missing/,
  ])
    assert.match(firstLine(several), fault);
});

test("a run that only lacks loads is incomplete, and what it has is vouched for", () => {
  assert.equal(verdictOf({ ...good, missing: 3 }).exitCode, ExitCode.loadsMissing);
  assert.match(
    firstLine({ ...good, missing: 3 }),
    /^Incomplete: 3 loads are missing; vouched for are all 576 that it has;/,
  );
});
