import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf } from "./csv.ts";

test("a text that begins like a formula is escaped, and a number stays a number", () => {
  const texts = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "a-b"];
  assert.deepEqual(csvOf(texts.map((text) => ({ text }))).split("\n"), [
    "text",
    `"'=HYPERLINK(""http://x"")"`,
    ...["'+1", "'-1", "'@SUM(A1)", "a-b", ""],
  ]);
  assert.equal(csvOf([{ n: -1.5, m: -1e-7, no: null, is: false }]), "n,m,no,is\n-1.5,-1e-7,,false\n");
});

test("without rows, the CSV has only a header", () => assert.equal(csvOf([], ["a", "b"]), "a,b\n"));
