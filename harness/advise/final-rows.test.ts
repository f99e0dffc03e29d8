import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseRows, finalists, reservedRows } from "./final-rows.ts";

const names = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`);
const counts = (best: number, parts: number, rows: number) => {
  const chosen = chooseRows(names("a", best), names("p", parts), rows);
  return [chosen.finalists.length, chosen.parts.length];
};

test("with enough time, all finalists of the search and up to five parts of the page are measured", () => {
  assert.deepEqual(counts(finalists.most, 9, 100), [6, 5]);
  assert.deepEqual(counts(2, 0, 100), [2, 0]);
});

test("with less time, only the best finalists and the largest parts are measured", () => {
  assert.deepEqual(counts(6, 9, 12), [6, 4]);
  assert.deepEqual(counts(6, 9, 10), [5, 3]);
  assert.deepEqual(counts(6, 9, reservedRows(9)), [finalists.least, 3]);
  assert.deepEqual(counts(6, 1, reservedRows(1)), [finalists.least, 1]);
  assert.deepEqual(chooseRows(names("a", 6), names("p", 9), 7), { finalists: ["a1", "a2"], parts: ["p1", "p2", "p3"] });
});

test("even if no time is left, the best change is measured", () => {
  assert.deepEqual(counts(6, 9, 0), [1, 0]);
  assert.deepEqual(counts(0, 2, 0), [0, 0]);
});
