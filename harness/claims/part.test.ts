/** How a claim's numbers are combined: ratios, differences, extremes, counts and bounds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Leaf } from "../plan/claims.ts";
import { resampleBlocks } from "../statistics/resample.ts";
import { countLoads } from "../tables/counted.ts";
import { conditions, paperExperiment, run } from "../tables/synthetic-loads.fixture.ts";
import { numbersOf } from "./claimed-quantity.ts";
import { valueText } from "./claims-markdown.ts";
import { keptEstimates, type MeasuredRun } from "./measured-run.ts";
import { verdictOf } from "./verdict.ts";

const leaf = (part: Partial<Leaf>): Leaf => ({
  of: "speedup",
  comparison: "1",
  statistic: "median",
  over: "geometric mean",
  ...part,
});
const above = (limit: number) => ({ says: "It is so", holds: `above ${limit}`, quantity: leaf({}) });

/** Loads of two protocols on two pages. @param times returns the page load time of a page and protocol in a block */
function ofTimes(times: (page: string, protocol: string, block: number) => number, atLeastMs = 60_000): MeasuredRun {
  const some = conditions({ page: ["A", "B"] });
  const made = run(some, 10, ({ page, protocol }, block) => times(String(page), String(protocol), block));
  const ended = made.map((load) =>
    load.metrics.pageLoadMs === Infinity ? { ...load, observed: "longer" as const } : load,
  );
  const { samples } = countLoads(ended, {
    conditions: some,
    loadsPerCondition: 10,
    metric: "pageLoadMs",
    timeoutMs: atLeastMs,
  });
  return {
    clock: "virtual",
    experiment: { ...paperExperiment, metric: "pageLoadMs" },
    estimate: keptEstimates(resampleBlocks([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])),
    samplesOf: () => samples,
  };
}
const scattered = (block: number) => 1 + ((block * 7) % 10) / 50;

test("the interval of a ratio or difference of extremes or counts is computed from the intervals of its two operands", () => {
  const uneven = ofTimes((page, protocol, block) => 1000 * (protocol === "h2" && page === "A" ? 1 : scattered(block)));
  const [extreme, other] = [leaf({ over: "maximum" }), leaf({ over: "minimum" })];
  const [a, b] = [extreme, other].map((one) => numbersOf(one, uneven, 0.025)[0]!.interval!);
  const [ratio] = numbersOf({ ratio: [extreme, other] }, uneven);
  assert.deepEqual(ratio!.interval, { low: a!.low / b!.high, high: a!.high / b!.low });
  const [difference] = numbersOf({ difference: [extreme, other] }, uneven);
  assert.deepEqual(difference!.interval, { low: a!.low - b!.high, high: a!.high - b!.low });
  // On Page A the option is 1 to 1.18 times as fast as the baseline; on Page B both are equally fast in every block.
  const counts = { difference: [leaf({ over: { count: { atLeast: 1 } } }), leaf({ over: { count: { atLeast: 2 } } })] };
  assert.deepEqual(numbersOf(counts as never, uneven)[0]!.interval, { low: 2, high: 2 });
});

test("a number computed from loads that never ended is a bound, and its interval is open at one end", () => {
  const endless = ofTimes((page, protocol, block) =>
    protocol === "h1" && page === "A" ? Infinity : 1000 * scattered(block),
  );
  const one = (page: string) => leaf({ where: { page: [page] } });
  const ofRatio = (quantity: Parameters<typeof numbersOf>[0]) => numbersOf(quantity, endless)[0]!;
  for (const [number, bound] of [
    [ofRatio(one("A")), "at least"],
    [ofRatio({ ratio: [one("A"), one("B")] }), "at least"],
    [ofRatio({ ratio: [one("B"), one("A")] }), "at most"],
    [ofRatio({ difference: [one("B"), one("A")] }), "at most"],
    [ofRatio(leaf({ over: "mean" })), "at least"],
    [ofRatio(leaf({ of: "savedPercent", where: { page: ["A"] } })), "at least"],
  ] as const)
    assert.equal(number.bound, bound, JSON.stringify(number));
  assert.match(valueText(above(1), ofRatio(one("A"))), /^at least \d\d\.\d \(at least \d\d\.\d\)$/);
  assert.equal(verdictOf(above(2), ofRatio(one("A"))), "holds");
  assert.equal(ofRatio({ ratio: [one("A"), one("A")] }).value, null, "neither side ended");
});

test("the lower end of a minimum's interval and the upper end of a maximum's interval are not corrected for the number of scenarios", () => {
  const even = ofTimes(
    (page, protocol, block) => 1000 * (protocol === "h2" ? 1 : (page === "A" ? 1.2 : 1.5) * scattered(block)),
  );
  const lowest = (over: Leaf["over"], page: string[]) => numbersOf(leaf({ over, where: { page } }), even)[0]!.interval!;
  assert.equal(lowest("minimum", ["A", "B"]).low, lowest("geometric mean", ["A"]).low);
  assert.ok(lowest("minimum", ["A", "B"]).high > lowest("geometric mean", ["A"]).high);
  assert.equal(lowest("maximum", ["A", "B"]).high, lowest("geometric mean", ["B"]).high);
  assert.ok(lowest("maximum", ["A", "B"]).low < lowest("geometric mean", ["B"]).low);
});
