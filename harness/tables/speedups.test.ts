import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../schema/plan.ts";
import { resampleBlocks } from "../statistics/resample.ts";
import { type CountedLoad, countLoads } from "./counted.ts";
import { resampleMedians, speedupsOf } from "./speedups.ts";
import { basisOf, statisticsOf } from "./statistics.ts";
import { conditions, failedLoad, okLoad } from "./synthetic-loads.fixture.ts";

const sides = { baseline: { protocol: "h1" }, option: { protocol: "h2" } };
const [h1, h2] = conditions({}) as [Condition, Condition];

function speedups(loads: CountedLoad[], contrast: Parameters<typeof speedupsOf>[1] = sides, planned = conditions()) {
  const { samples } = countLoads(loads, { conditions: planned, loadsPerCondition: 3, metric: "pageLoadMs" });
  const resamples = resampleBlocks(samples.flatMap(({ byBlock }) => [...byBlock.keys()]));
  return speedupsOf("1", contrast, samples, resampleMedians(samples, resamples));
}
const inBlocks = (condition: Condition, times: number[]) =>
  times.map((ms, i) => okLoad(condition, ms, { block: i + 1 }));

test("speedup = median of the baseline / median of the option", () => {
  const [speedup] = speedups([...inBlocks(h1, [100, 900, 200]), ...inBlocks(h2, [400, 50, 80])]);
  assert.equal(speedup?.baselineMedianMs, 200);
  assert.equal(speedup.optionMedianMs, 80);
  assert.equal(speedup.speedup, 2.5);
  assert.deepEqual([speedup.baselineLoads, speedup.optionLoads], [3, 3]);
});

test("the interval of five blocks contains at least the smallest and the largest speedup of a block", () => {
  const [speedup] = speedups([...inBlocks(h1, [100, 120, 150, 170, 200]), ...inBlocks(h2, [100, 100, 100, 100, 100])]);
  assert.ok(speedup!.interval!.low <= 1 && speedup!.interval!.high >= 2);
});

test("both sides are resampled with the same blocks, so that shared drift does not widen the interval", () => {
  const drift = [100, 120, 150, 190, 240, 300, 370];
  const [speedup] = speedups([
    ...inBlocks(h1, drift),
    ...inBlocks(
      h2,
      drift.map((ms) => ms / 2),
    ),
  ]);
  assert.deepEqual(speedup?.interval, { low: 2, high: 2 });
});

test("fewer than five loads on a side give a speedup but no interval", () => {
  const [few] = speedups([...inBlocks(h1, [300, 300, 300, 300]), ...inBlocks(h2, [200, 200, 200, 200])]);
  assert.deepEqual([few?.speedup, few?.interval], [1.5, null]);
  const [thin] = speedups([...inBlocks(h1, [100, 200, 300, 200, 200]), ...inBlocks(h2, [100, 100, 100, 100])]);
  assert.deepEqual([thin?.speedup, thin?.interval], [2, null]);
});

test("the speedup is null if a side has no loads", () => {
  const [speedup] = speedups([...inBlocks(h1, [100, 200]), failedLoad(h2)]);
  assert.deepEqual([speedup?.speedup, speedup?.interval, speedup?.optionLoads], [null, null, 0]);
  assert.deepEqual([speedup?.baselineMedianMs, speedup?.optionMedianMs], [150, null]);
});

test("a scenario is what both sides share; links that differ in only one quantity are different scenarios", () => {
  const planned = conditions({ page: ["A", "B"], link: ["10x1-20ms-0%", "10x1-20ms-1%"] });
  const all = speedups(
    planned.map((condition) => okLoad(condition, condition.values.protocol === "h1" ? 200 : 100)),
    sides,
    planned,
  );
  assert.deepEqual(
    all.map(({ scenario }) => `${scenario.page} ${scenario.loss}`),
    ["A 0", "A 1", "B 0", "B 1"],
  );
  assert.ok(all.every(({ scenario, speedup }) => !("protocol" in scenario) && speedup === 2));
});

test("a comparison that changes the link has scenarios without a link", () => {
  const planned = conditions({ link: ["10x1-20ms-0%", "20x2-20ms-0%"], protocol: ["h1"] });
  const [speedup] = speedups(
    planned.map((condition) => okLoad(condition, condition.values.down === 10 ? 300 : 100)),
    {
      baseline: { link: "10x1-20ms-0%" },
      option: { link: "20x2-20ms-0%" },
    },
    planned,
  );
  assert.equal(speedup?.speedup, 3);
  const named = Object.keys(speedup.scenario);
  assert.deepEqual(
    named.filter((name) => ["link", "rate", "down", "up", "rtt", "loss", "queue"].includes(name)),
    [],
  );
  assert.ok(["page", "servers", "protocol", "initcwnd"].every((name) => named.includes(name)));
});

test("loads that belong to neither side are ignored", () => {
  const other = conditions({ protocol: ["h3"] })[0]!;
  const all = speedups([okLoad(h1, 300), okLoad(h2, 100), okLoad(other, 1)], sides, [h1, h2, other]);
  assert.deepEqual(
    all.map(({ speedup }) => speedup),
    [3],
  );
});

test("if at least half of one side's loads never ended, the speedup is a bound; if at least half never ended on both sides, it is null", () => {
  const speedupOf = (first: CountedLoad[], second: CountedLoad[]) => {
    const { samples } = countLoads([...first, ...second], {
      ...{ conditions: [h1, h2], loadsPerCondition: 10, metric: "pageLoadMs", timeoutMs: 1000 },
    });
    const resamples = resampleBlocks(samples.flatMap(({ byBlock }) => [...byBlock.keys()]));
    return speedupsOf("1", sides, samples, resampleMedians(samples, resamples))[0]!;
  };
  const blocks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const ended = (condition: Condition) => blocks.map((block) => okLoad(condition, 100, { block }));
  const mostlyEndless = (condition: Condition) =>
    blocks.map((block): CountedLoad => {
      return block > 4
        ? { ...failedLoad(condition, { block }), observed: "longer" }
        : okLoad(condition, 100, { block });
    });
  const slower = speedupOf(ended(h1), mostlyEndless(h2));
  assert.deepEqual([slower.speedup, slower.bound, slower.optionMedianMs], [0.1, "at most", Infinity]);
  assert.ok(slower.interval!.low === 0 && slower.interval!.high >= 0.1);
  const faster = speedupOf(mostlyEndless(h1), ended(h2));
  assert.deepEqual([faster.speedup, faster.bound, faster.interval!.high], [10, "at least", Infinity]);
  const neither = speedupOf(mostlyEndless(h1), mostlyEndless(h2));
  assert.deepEqual([neither.speedup, neither.bound, neither.interval], [null, null, null]);
  // Averages over these scenarios are bounds or null, and the scenarios are counted.
  const { max, mean, min, geometricMean, bounds } = statisticsOf([slower, faster])!;
  assert.deepEqual([max, min, geometricMean], [10, 0.1, null]);
  assert.deepEqual(bounds, { max: "at least", mean: "at least", min: "at most" });
  assert.ok(mean === 5);
  assert.equal(statisticsOf([faster, neither])!.geometricMean, null);
  const { scenarios, endlessScenarios } = basisOf([slower, faster, neither, speedupOf(ended(h1), ended(h2))]);
  assert.deepEqual([scenarios, endlessScenarios], [4, 3]);
});
