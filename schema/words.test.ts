import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrief } from "./words.ts";

test("a list has each sentence once, with its count, and at most ten different sentences", () => {
  assert.equal(inBrief([]), "");
  assert.equal(inBrief(["a", "b"]), "a; b");
  assert.equal(inBrief(["a", "b", "a"]), "a (2 times); b");
  const many = Array.from({ length: 3000 }, (_, i) => `${i} is missing`);
  assert.match(inBrief(many), /^0 is missing; .*; 9 is missing; and 2990 more$/);
});
