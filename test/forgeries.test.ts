/** `./lab verify` reports each alteration of a run, or at least the run's digest changes. Prints a table of forgeries. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { markdownTable } from "markdown-table";
import type { RunVerdict } from "../harness/judge/run/run-verdict.ts";
import { blockRun } from "../harness/record/find-run.ts";
import { renderVerification } from "../harness/verify/verification.ts";
import { forgeries } from "./forgeries/registry.ts";
import { readFiles, verifyFiles } from "./forgeries/run-files.ts";

const honest = readFiles(blockRun);
const asItIs = verifyFiles(honest);
/** Random losses may hide the initcwnd of a condition's only load. Verify reports this, but it is not a sign of a forgery. */
const hiddenByChance = asItIs.neverConfirmed.length;
const shownCharacters = 100;
const rows: string[][] = [];
after(() => console.log(`\n${markdownTable([["forgery", "caught by", "message"], ...rows])}\n`));

const passes = ({ valid, loads, missing, problems, losses, neverConfirmed, tooOften, notes }: RunVerdict) =>
  valid === loads &&
  [missing, problems.length, tooOften.length].every((count) => count === 0) &&
  neverConfirmed.length === hiddenByChance &&
  isDeepStrictEqual(notes, asItIs.notes) &&
  losses.every((loss) => loss.withinTolerance);

test("verify accepts the unaltered run", () => assert.ok(passes(asItIs), renderVerification(asItIs)));

for (const { what, forge, message } of forgeries)
  test(`${message ? "verify reports" : "verify accepts, and only the digest differs"}: ${what}`, () => {
    const files = {
      ...honest,
      manifest: { ...honest.manifest },
      calibrations: [...honest.calibrations],
      lanes: [...honest.lanes],
      loads: [...honest.loads],
    };
    forge(files);
    const verdict = verifyFiles(files);
    const text = renderVerification(verdict);
    if (message) {
      assert.ok(!passes(verdict), "verify accepts the altered run");
      assert.match(text, message);
      rows.push([what, "verify", message.exec(text)![0].slice(0, shownCharacters)]);
    } else {
      assert.ok(passes(verdict), text);
      assert.notEqual(verdict.digest, asItIs.digest);
      rows.push([what, "the published digest; --again", ""]);
    }
  });
