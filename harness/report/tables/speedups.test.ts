import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../../schema/plan.ts";
import { resampleBlocks } from "../../statistics/resample.ts";
import { type CountedLoad, countLoads } from "./counted.ts";
import { resampleMedians, speedupsOf } from "./speedups.ts";
import { conditions, failedLoad, okLoad } from "./synthetic-loads.ts";

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

test("the interval of five blocks goes from the least speedup of a block to the greatest at least", () => {
  const [speedup] = speedups([...inBlocks(h1, [100, 120, 150, 170, 200]), ...inBlocks(h2, [100, 100, 100, 100, 100])]);
  assert.ok(speedup!.interval!.low <= 1 && speedup!.interval!.high >= 2);
});

test("both sides see the same blocks: drift that they share does not widen the interval", () => {
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

test("fewer than five loads on a side have a speedup but no interval", () => {
  const [few] = speedups([...inBlocks(h1, [300, 300, 300, 300]), ...inBlocks(h2, [200, 200, 200, 200])]);
  assert.deepEqual([few?.speedup, few?.interval], [1.5, null]);
  const [thin] = speedups([...inBlocks(h1, [100, 200, 300, 200, 200]), ...inBlocks(h2, [100, 100, 100, 100])]);
  assert.deepEqual([thin?.speedup, thin?.interval], [2, null]);
});

test("a missing side is reported missing, not guessed", () => {
  const [speedup] = speedups([...inBlocks(h1, [100, 200]), failedLoad(h2)]);
  assert.deepEqual([speedup?.speedup, speedup?.interval, speedup?.optionLoads], [null, null, 0]);
  assert.deepEqual([speedup?.baselineMedianMs, speedup?.optionMedianMs], [150, null]);
});

test("scenarios are what both sides share; links that differ in one quantity only keep apart", () => {
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

test("loads of neither side do not matter", () => {
  const other = conditions({ protocol: ["h3"] })[0]!;
  const all = speedups([okLoad(h1, 300), okLoad(h2, 100), okLoad(other, 1)], sides, [h1, h2, other]);
  assert.deepEqual(
    all.map(({ speedup }) => speedup),
    [3],
  );
});

test("where most loads of a side never ended there is no speedup", () => {
  const ended = inBlocks(h1, [100, 100, 100]);
  const endless = (condition: Condition) =>
    [1, 2, 3].map((block): CountedLoad => ({ ...failedLoad(condition, { block }), observed: "longer" }));
  const [bounded] = speedups([...ended, ...endless(h2)]);
  assert.deepEqual([bounded?.speedup, bounded?.optionMedianMs], [null, Infinity]);
  const [neither] = speedups([...endless(h1), ...endless(h2)]);
  assert.deepEqual([neither?.speedup, neither?.interval], [null, null]);
});
