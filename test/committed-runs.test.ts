/** The loads of committed runs are valid, and every number of a claim in the documents is recomputed from them. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { namedIn, readDocuments, rewritten } from "../harness/claims/documents.ts";
import { claimsByRun } from "../harness/claims/judge-claims.ts";
import { judgedLoads, readToEnd } from "../harness/judge/run/judged-loads.ts";
import { allClaims } from "../harness/plan/claims.ts";
import { readSavedRun } from "../harness/record/records.ts";
import { openRun } from "../harness/record/run-folder.ts";
import { verdictOf } from "../harness/verify/verdict.ts";

const committed = execFileSync("git", ["ls-files", "results/**/run.json"], { encoding: "utf8" })
  .trim()
  .split("\n")
  .map((path) => path.replace(/^results\/(.*)\/run\.json$/, "$1"));
/** The digest of every committed run. It reveals every changed line, even a line that is consistent with all others. */
const digests = JSON.parse(readFileSync("results/digests.json", "utf8")) as Record<string, string>;

test("results/digests.json has the digests of exactly the committed runs", () =>
  assert.deepEqual(Object.keys(digests).sort(), committed.toSorted()));

for (const [name, digest] of Object.entries(digests))
  test(`every load of ${name} is valid, and the run has its committed digest`, () => {
    const { folder, manifest } = openRun(name);
    // The judged loads stay in the user's cache for the tests of claims, and for later tests of the same lines by the same code.
    const verdict = readToEnd(judgedLoads(readSavedRun(folder, manifest)), () => {});
    const { loads, missing, tornLines } = verdict;
    const { sentence } = verdictOf(verdict);
    assert.equal(sentence, `Valid: ${loads} of ${loads} loads`);
    assert.deepEqual([missing, tornLines, loads > 0], [0, 0, true]);
    assert.equal(verdict.digest, digest);
  });

const documents = readDocuments();
const claimsOf = claimsByRun();

for (const { path, text } of documents)
  test(`the numbers in ${path} are those of the claims (./lab claims --write updates them)`, () =>
    assert.equal(text, rewritten(text, claimsOf)));

test("for every experiment with claims, a document prints at least one claim", () => {
  const printed = new Set(documents.flatMap(({ text }) => namedIn(text)));
  const claimed = allClaims().flatMap(({ experiment }) => (claimsOf(experiment)?.length ? [experiment] : []));
  assert.deepEqual(
    claimed.filter((experiment) => !printed.has(experiment)),
    [],
  );
});
