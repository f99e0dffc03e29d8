import assert from "node:assert/strict";
import { test } from "node:test";
import { boundedValue, combine, differenceOf, type Estimate, exactly, interval95, ratioOf } from "./estimate.ts";

const ramp = Float64Array.from({ length: 10_001 }, (_, i) => 90 + i / 500);
const given = { value: 100, resampled: ramp, blocks: 10 };
const estimate = exactly(given);

test("on each side, an interval reaches as far as the wider of Student's t interval and the expanded percentile interval", () => {
  const { low, high } = interval95(estimate, "linear")!;
  // The deviation of the ramp is 20 / sqrt(12), t for nine degrees of freedom 2.262: 2.262 * 5.774 * sqrt(10 / 9) = 13.77.
  assert.ok(Math.abs(high - 113.77) < 0.01 && Math.abs(low - 86.23) < 0.01, `${low} to ${high}`);
  const skewed = Float64Array.from({ length: 10_001 }, (_, i) => (i < 9800 ? 100 : 150));
  assert.equal(interval95(exactly({ ...given, resampled: skewed }), "linear")!.high, 150);
});

test("a ratio's interval is computed from logarithms, so the inverse ratio has the inverse interval", () => {
  const { low, high } = interval95(estimate, "logarithm")!;
  const one = exactly({ value: 1, resampled: ramp.map(() => 1), blocks: 10 });
  const turned = interval95(ratioOf(one, estimate), "logarithm")!;
  assert.ok(Math.abs(turned.low - 1 / high) < 1e-6 && Math.abs(turned.high - 1 / low) < 1e-6);
});

test("there is no interval if there are only four blocks, or if half of the resamples have no value", () => {
  const intervalOf = (own: Partial<typeof given>) => interval95(exactly({ ...given, ...own }), "linear");
  assert.equal(intervalOf({ blocks: 4 }), null);
  assert.equal(intervalOf({ resampled: Float64Array.of(NaN, NaN, 99, 101) }), null);
  assert.deepEqual(intervalOf({ value: 7, resampled: Float64Array.of(NaN, 7, 7) }), { low: 7, high: 7 });
});

/** Makes an estimate in which a share of the resamples, by default a tenth, exceeds the time-out of 1000. A value of Infinity exceeds it, too. */
const endless = (value: number, share = 0.1): Estimate => {
  const [least, most] = [1000, Infinity].map((longer) => ({
    value: value === Infinity ? longer : value,
    resampled: ramp.map((_, i) => (i < share * ramp.length ? longer : 100 + i / 1000)),
  }));
  return { least: least!, most: most!, blocks: 10 };
};

test("an interval's upper end is Infinity if a tenth of the resamples are infinite, and finite if only a thousandth of them are infinite", () => {
  const opened = interval95(endless(105), "logarithm")!;
  assert.ok(opened.low > 0 && opened.low < 105, `${opened.low}`);
  assert.equal(opened.high, Infinity);
  const { high } = interval95(endless(105, 0.001), "logarithm")!;
  assert.ok(high > 105 && high < 140, `${high}`);
});

test("a ratio with one infinite time is a bound, and its interval is open at one end; a ratio of two infinite times is unknown", () => {
  const [known, longer] = [exactly(given), endless(Infinity)];
  assert.deepEqual(boundedValue(ratioOf(longer, known), "logarithm"), { value: 10, bound: "at least" });
  assert.deepEqual(boundedValue(ratioOf(known, longer), "logarithm"), { value: 0.1, bound: "at most" });
  assert.deepEqual(boundedValue(ratioOf(longer, longer), "logarithm"), { value: null, bound: null });
  assert.equal(interval95(ratioOf(longer, longer), "logarithm"), null);
  assert.equal(interval95(ratioOf(longer, known), "logarithm")!.high, Infinity);
  assert.equal(interval95(ratioOf(known, longer), "logarithm")!.low, 0);
  assert.deepEqual(boundedValue(differenceOf(known, longer), "linear"), { value: -900, bound: "at most" });
  assert.deepEqual(boundedValue(differenceOf(longer, known), "linear"), { value: 900, bound: "at least" });
});

test("the maximum of 2 and a number that is at most 0.1 is exactly 2, not a bound", () => {
  const two = exactly({ value: 2, resampled: ramp.map(() => 2), blocks: 10 });
  const greater = combine([two, ratioOf(exactly(given), endless(Infinity))], (all) => Math.max(...all));
  assert.deepEqual(boundedValue(greater, "logarithm"), { value: 2, bound: null });
});
