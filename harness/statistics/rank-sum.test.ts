import assert from "node:assert/strict";
import { test } from "node:test";
import { rankSumP } from "./rank-sum.ts";

const near = (actual: number, expected: number) => assert.ok(Math.abs(actual / expected - 1) < 0.01, `${actual}`);

// scipy.stats.mannwhitneyu(x, y, method="asymptotic").pvalue
test("rankSumP agrees with SciPy's Mann-Whitney U test, with and without ties", () => {
  near(rankSumP([1.1, 2.2, 3.3, 4.4, 5.5, 6.6], [7.7, 8.8, 9.9, 10.1, 11.2, 12.3]), 0.005075);
  near(rankSumP([1, 2, 2, 3, 4], [2, 3, 4, 5, 5]), 0.135099);
});

test("rankSumP of two equal samples is 1, also if all values are equal; swapping the samples does not change the result", () => {
  assert.equal(rankSumP([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]), 1);
  assert.equal(rankSumP([7, 7, 7, 7, 7], [7, 7, 7, 7, 7]), 1);
  const [a, b] = [
    [5, 9, 1, 7, 3],
    [6, 8, 12, 10, 14],
  ] as const;
  assert.equal(rankSumP(a, b), rankSumP(b, a));
});

test("loads that never ended have the highest ranks", () => {
  const never = [10, 11, 12, Infinity, Infinity, Infinity];
  assert.ok(rankSumP([1, 2, 3, 4, 5, 6], never) < 0.01);
});
