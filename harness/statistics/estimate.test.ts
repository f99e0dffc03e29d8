import assert from "node:assert/strict";
import { test } from "node:test";
import { combine, interval95 } from "./estimate.ts";

const ramp = Float64Array.from({ length: 10_001 }, (_, i) => 90 + i / 500);
const estimate = { value: 100, resampled: ramp, blocks: 10 };

test("an interval is the wider of Student's t and the expanded percentiles at each end", () => {
  const { low, high } = interval95(estimate, "linear")!;
  // The deviation of the ramp is 20 / sqrt(12), t for nine degrees of freedom 2.262: 2.262 * 5.774 * sqrt(10 / 9) = 13.77.
  assert.ok(Math.abs(high - 113.77) < 0.01 && Math.abs(low - 86.23) < 0.01, `${low} to ${high}`);
  const skewed = Float64Array.from({ length: 10_001 }, (_, i) => (i < 9800 ? 100 : 150));
  assert.equal(interval95({ ...estimate, resampled: skewed }, "linear")!.high, 150);
});

test("a ratio has the interval of its logarithm: turned over it is turned over", () => {
  const { low, high } = interval95(estimate, "logarithm")!;
  const turned = interval95(
    combine([estimate], ([value = 0]) => 1 / value),
    "logarithm",
  )!;
  assert.ok(Math.abs(turned.low - 1 / high) < 1e-6 && Math.abs(turned.high - 1 / low) < 1e-6);
});

test("below five blocks, where half of the resamples have no value or where one is endless, there is no interval", () => {
  assert.equal(interval95({ ...estimate, blocks: 4 }, "linear"), null);
  assert.equal(interval95({ ...estimate, resampled: Float64Array.of(NaN, NaN, 99, 101) }, "linear"), null);
  assert.deepEqual(interval95({ ...estimate, value: 7, resampled: Float64Array.of(NaN, 7, 7) }, "linear"), {
    low: 7,
    high: 7,
  });
  assert.equal(interval95({ ...estimate, resampled: Float64Array.of(99, 100, Infinity) }, "linear"), null);
});
