/** The lab writes numbers and verdicts of claims between markers in documents. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { claimsTable } from "./claims-markdown.ts";
import { rewritten } from "./documents.ts";
import { claim, number } from "./measured.fixture.ts";

test("the claims' table or a claim's number replaces the text between markers, and all other text stays; an unknown claim is an error", () => {
  const judged = [{ id: "one", claim: claim("above 1", 2), numbers: [number(1.1, 1.3)] }];
  const text = "Before\n<!-- claims:x -->old<!-- /claims -->\nIt is <!-- claim:x/one -->9<!-- /claim --> times.";
  const made = rewritten(text, () => judged);
  assert.match(made, /^Before\n<!-- claims:x -->\n\n\| claim/);
  assert.match(made, /It is <!-- claim:x\/one -->1\.20 \(1\.10 to 1\.30\)<!-- \/claim --> times\.$/);
  assert.equal(
    rewritten(made, () => judged),
    made,
  );
  assert.match(
    claimsTable(judged),
    /\| It is so \| D, section 1 \| 1\.20 \(1\.10 to 1\.30\) \[2\] \| above 1 \| holds/,
  );
  assert.throws(() => rewritten("<!-- claim:x/two --><!-- /claim -->", () => judged), /has no claim two/);
});

test("a document gets the counts of verdicts on a paper's claims; an unknown paper is an error", () => {
  const ofDraft = { ...claim("above 1", 2), source: { document: "the draft", at: "table 5" } };
  const judged = (experiment: string) =>
    experiment === "lossy-pages" ? [{ id: "one", claim: ofDraft, numbers: [number(1.1, 1.3), number(0.9, 1.1)] }] : [];
  assert.equal(
    rewritten("<!-- verdicts:the draft -->old<!-- /verdicts -->", judged),
    "<!-- verdicts:the draft -->holds: 1, does not hold: 0, cannot tell: 1<!-- /verdicts -->",
  );
  assert.throws(() => rewritten("<!-- verdicts:RFC 1 --><!-- /verdicts -->", judged), /names the document "RFC 1"/);
});

test("a document shows how many verdicts two runs of an experiment share, and how many differ: none if a run is compared with itself", () => {
  assert.match(
    rewritten("<!-- changed:fairness@papers/fairness -->old<!-- /changed -->", () => null),
    /-->\n\nVerdicts that are the same in both runs: [1-9]\d*; opposite: 0; decided by only one of the runs: 0\./,
  );
  assert.throws(
    () => rewritten("<!-- changed:no-such@block --><!-- /changed -->", () => null),
    /no-such\.claims\.yml, which does not exist/,
  );
});
