import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { quantile as byLibrary } from "simple-statistics";
import { median, quantile } from "./quantile.ts";

test("quantiles are type 7 of Hyndman and Fan, as in R and NumPy", () => {
  // R: quantile(c(3, 6, 7, 8, 8, 10, 13, 15, 16, 20)). NumPy: percentile(..., [25, 50, 75]) gives the same.
  const values = [20, 3, 16, 6, 15, 7, 13, 8, 10, 8];
  assert.deepEqual(
    [0, 0.25, 0.5, 0.75, 1].map((share) => quantile(values, share)),
    [3, 7.25, 9, 14.5, 20],
  );
  // R: quantile(1:10, 0.9) is 9.1; types 4, 5, 6, 8 and 9 give 9, 9.5, 9.9, 9.63 and 9.6.
  assert.ok(Math.abs(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9) - 9.1) < 1e-12);
  assert.equal(quantile([1, 2, 3, 4], 0.4), 2.2);
});

test("simple-statistics, which computes quantiles within single loads, uses the same definition of a quantile", () => {
  const values = [20, 3, 16, 6, 15, 7, 13, 8, 10, 8];
  for (const share of [0.1, 0.25, 0.5, 0.8, 0.9, 0.99]) assert.equal(byLibrary(values, share), quantile(values, share));
});

test("infinite times (longer than could be measured) rank last, and no quantile is NaN", () => {
  const sixOfTen = [100, 100, 100, 100, ...Array<number>(6).fill(Infinity)];
  assert.equal(median(sixOfTen), Infinity);
  assert.equal(median([1, 2, Infinity, Infinity]), Infinity, "one of the middle two is Infinity");
  assert.equal(median([1, 2, Infinity]), 2);
  assert.equal(quantile([1, 2, 3, 4, 5, 6, 7, 8, Infinity, Infinity], 0.9), Infinity);
  assert.equal(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, Infinity], 0.9), Infinity, "between 9 and Infinity");
  assert.equal(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, Infinity], 0.9), 10);
  assert.equal(quantile([-Infinity, 1, 2], 0.25), -Infinity);
});

test("the median is the middle of the sorted values; a median or quantile of no values is refused", () => {
  assert.equal(median([30, 1, 20]), 20);
  assert.equal(median([30, 1, 20, 100]), 25);
  assert.equal(median([7]), 7);
  assert.throws(() => median([]), /at least one value/);
  assert.throws(() => quantile([], 0.5), /at least one value/);
  assert.throws(() => quantile([1], 1.5), /1\.5 is not a share/);
});

test("no file of the harness imports a median or quantile from simple-statistics", () => {
  const elsewhere = /import \{[^}]*\b(?:median|quantile)\w*[^}]*\} from "simple-statistics"/;
  const sources = readdirSync("harness", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && file !== "statistics/quantile.test.ts",
  );
  assert.ok(sources.length > 100);
  assert.deepEqual(
    sources.filter((file) => elsewhere.test(readFileSync(join("harness", file), "utf8"))),
    [],
  );
});
