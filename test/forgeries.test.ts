/** A saved run that was altered does not pass `./lab verify`, or nothing but its published head tells. Prints the table of forgeries. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { markdownTable } from "markdown-table";
import type { Verification } from "../harness/judge/verify.ts";
import { virtualBlockRun } from "../harness/record/run-folder.ts";
import { renderVerification } from "../harness/report/verification.ts";
import { forgeries } from "./forgeries/registry.ts";
import { readFiles, verifyFiles } from "./forgeries/run-files.ts";

const honest = readFiles(virtualBlockRun);
const asItIs = verifyFiles(honest, true);
const { head } = asItIs.chain!;
/** Of a condition's only load chance may hide what shows its window: said, and no sign of a forgery. */
const hiddenByChance = asItIs.neverShown.length;
const shownCharacters = 100;
const rows: string[][] = [];
after(() => console.log(`\n${markdownTable([["forgery", "caught by", "message"], ...rows])}\n`));

const passes = ({ vouched, loads, missing, problems, chain, losses, neverShown, tooOften }: Verification) =>
  vouched === loads &&
  [missing, problems.length, chain!.breaks.length, tooOften.length].every((count) => count === 0) &&
  neverShown.length === hiddenByChance &&
  losses.every((loss) => loss.honest);

test("the run passes as it is, and with its chain written anew", () => {
  for (const rechain of [false, true]) {
    const verification = verifyFiles(honest, rechain);
    assert.ok(passes(verification), renderVerification(verification));
    assert.equal(verification.chain!.head, head);
  }
});

for (const { what, forge, message, keepsChain } of forgeries)
  test(`${message ? "is caught" : "is seen in the head alone"}: ${what}`, () => {
    const files = {
      ...honest,
      manifest: { ...honest.manifest },
      calibrations: [...honest.calibrations],
      lanes: [...honest.lanes],
      loads: [...honest.loads],
    };
    forge(files);
    const verification = verifyFiles(files, !keepsChain);
    const text = renderVerification(verification);
    if (message) {
      assert.ok(!passes(verification), "it passes");
      assert.match(text, message);
      rows.push([what, keepsChain ? "the chain" : "verify", message.exec(text)![0].slice(0, shownCharacters)]);
    } else {
      assert.ok(passes(verification), text);
      assert.notEqual(verification.chain!.head, head);
      rows.push([what, "the published head; --again", ""]);
    }
  });
