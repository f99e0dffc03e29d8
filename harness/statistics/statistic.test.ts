import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleVariance, variance } from "simple-statistics";
import { boundedValue } from "./estimate.ts";
import { resampleBlocks } from "./resample.ts";
import { parseStatistic } from "./statistic.ts";

test("the geometric mean of equal values is exactly that value", () =>
  assert.equal(parseStatistic("geometric mean")!.of([100, 100, 100]), 100));

test("the geometric mean of many loads is right, although their product would overflow", () => {
  const values = Array.from({ length: 400 }, (_, i) => (i % 2 ? 100 : 10_000));
  assert.ok(Math.abs(parseStatistic("geometric mean")!.of(values) - 1000) < 1e-6);
});

test("a load that never ended ranks last in quantiles; a mean or quantile that depends on such a load is a lower bound, computed from the time-out", () => {
  const ofSample = (name: string, values: number[]) => {
    const byBlock = new Map(values.map((value, i) => [i + 1, value]));
    const resamples = resampleBlocks(byBlock.keys(), 50);
    return boundedValue(parseStatistic(name)!.estimate([{ byBlock, timeoutMs: 1000 }], resamples), "logarithm");
  };
  const oneOfFive = [100, 200, 300, 400, Infinity];
  assert.deepEqual(ofSample("median", oneOfFive), { value: 300, bound: null });
  assert.deepEqual(ofSample("mean", oneOfFive), { value: 400, bound: "at least" });
  const twoOfTen = [1, 2, 3, 4, 5, 6, 7, 8, Infinity, Infinity];
  assert.deepEqual(ofSample("p90", twoOfTen), { value: 1000, bound: "at least" });
  assert.deepEqual(ofSample("p50", twoOfTen), { value: 5.5, bound: null });
  assert.deepEqual(ofSample("median", [1, 2, 3, 4, ...Array<number>(6).fill(Infinity)]), {
    value: 1000,
    bound: "at least",
  });
  const { value, bound } = ofSample("geometric mean", [10, Infinity]);
  assert.ok(Math.abs(value! - 100) < 1e-9 && bound === "at least");
});

test("resampled means vary as much as means of a log-normal sample: exactly for widely varying times, within 10% for nearly equal times", () => {
  const spreadOf = (logs: number[]) => {
    const byBlock = new Map(logs.map((log, i) => [i + 1, Math.exp(log)]));
    const resamples = resampleBlocks(byBlock.keys(), 2000);
    const { resampled } = parseStatistic("mean")!.estimate([{ byBlock }], resamples).least;
    const [n, s2] = [logs.length, sampleVariance(logs)];
    return variance([...resampled].map(Math.log)) / (((n - 1) / n) * (s2 / n + s2 ** 2 / (2 * (n - 1))));
  };
  const shape = [-1.5, -1, -0.7, -0.4, -0.1, 0.1, 0.4, 0.7, 1, 1.5];
  assert.ok(Math.abs(spreadOf(shape) - 1) < 1e-9, "two of ten loads take 2.7 and 4.5 times as long as the median");
  const close = spreadOf(shape.map((log) => log / 50));
  assert.ok(Math.abs(close - 1) < 0.1, `${close}`);
});

test("5 loads are enough for the interval of a median; 50 are too few for the interval of a 95% quantile, which needs 68", () => {
  assert.equal(parseStatistic("median")!.tooFewLoads(5), null);
  assert.match(
    parseStatistic("p95")!.tooFewLoads(50)!,
    /^50 loads are too few for a 95% quantile's interval: 68 are needed$/,
  );
});

test("if a load has several values, a statistic is computed from all values of all loads", () => {
  const byBlock = new Map([1, 2, 3, 4, 5].map((block) => [block, 10]));
  const eachByBlock = new Map(
    [...byBlock.keys()].map((block) => [block, block === 5 ? [10, 90, 91, 92, 93, 94] : [10]]),
  );
  const estimate = parseStatistic("median")!.estimate([{ byBlock, eachByBlock }], resampleBlocks(byBlock.keys()));
  assert.deepEqual([estimate.most.value, estimate.blocks], [50, 5]);
});
