/** Every number of a claim in the documents is recomputed from the saved loads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { namedIn, readDocuments, rewritten } from "../harness/claims/documents.ts";
import { claimsByRun } from "../harness/claims/judge-claims.ts";
import { allClaims } from "../harness/plan/claims.ts";

const documents = readDocuments();
const claimsOf = claimsByRun();

for (const { path, text } of documents)
  test(`the numbers in ${path} are those of the claims (./lab claims --write updates them)`, () =>
    assert.equal(text, rewritten(text, claimsOf)));

test("every experiment's claims are printed in a document", () => {
  const printed = new Set(documents.flatMap(({ text }) => namedIn(text)));
  const claimed = allClaims().flatMap(({ experiment }) => (claimsOf(experiment)?.length ? [experiment] : []));
  assert.deepEqual(
    claimed.filter((experiment) => !printed.has(experiment)),
    [],
  );
});
