import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../../schema/plan.ts";
import { redrawBlocks } from "../../statistics/resample.ts";
import { type CountedLoad, countLoads } from "./counted.ts";
import { gainsOf, redrawMedians } from "./gains.ts";
import { conditions, failedLoad, okLoad } from "./synthetic-loads.ts";

const sides = { base: { protocol: "h1" }, option: { protocol: "h2" } };
const [h1, h2] = conditions({}) as [Condition, Condition];

function gains(loads: CountedLoad[], contrast: Parameters<typeof gainsOf>[1] = sides, planned = conditions()) {
  const { samples } = countLoads(loads, { conditions: planned, loadsPerCondition: 3, metric: "pageLoadMs" });
  const redraws = redrawBlocks(samples.flatMap(({ byBlock }) => [...byBlock.keys()]));
  return gainsOf("1", contrast, samples, redrawMedians(samples, redraws));
}
const inBlocks = (condition: Condition, times: number[]) =>
  times.map((ms, i) => okLoad(condition, ms, { block: i + 1 }));

test("gain = median of the base / median of the option", () => {
  const [gain] = gains([...inBlocks(h1, [100, 900, 200]), ...inBlocks(h2, [400, 50, 80])]);
  assert.equal(gain?.baseMedianMs, 200);
  assert.equal(gain.optionMedianMs, 80);
  assert.equal(gain.gain, 2.5);
  assert.deepEqual([gain.baseLoads, gain.optionLoads], [3, 3]);
});

test("the interval of five blocks goes from the least gain of a block to the greatest at least", () => {
  const [gain] = gains([...inBlocks(h1, [100, 120, 150, 170, 200]), ...inBlocks(h2, [100, 100, 100, 100, 100])]);
  assert.ok(gain!.interval!.low <= 1 && gain!.interval!.high >= 2);
});

test("both sides see the same blocks: drift that they share does not widen the interval", () => {
  const drift = [100, 120, 150, 190, 240, 300, 370];
  const [gain] = gains([
    ...inBlocks(h1, drift),
    ...inBlocks(
      h2,
      drift.map((ms) => ms / 2),
    ),
  ]);
  assert.deepEqual(gain?.interval, { low: 2, high: 2 });
});

test("fewer than five loads on a side have a gain but no interval", () => {
  const [few] = gains([...inBlocks(h1, [300, 300, 300, 300]), ...inBlocks(h2, [200, 200, 200, 200])]);
  assert.deepEqual([few?.gain, few?.interval], [1.5, null]);
  const [thin] = gains([...inBlocks(h1, [100, 200, 300, 200, 200]), ...inBlocks(h2, [100, 100, 100, 100])]);
  assert.deepEqual([thin?.gain, thin?.interval], [2, null]);
});

test("a missing side is reported missing, not guessed", () => {
  const [gain] = gains([...inBlocks(h1, [100, 200]), failedLoad(h2)]);
  assert.deepEqual([gain?.gain, gain?.interval, gain?.optionLoads], [null, null, 0]);
  assert.deepEqual([gain?.baseMedianMs, gain?.optionMedianMs], [150, null]);
});

test("settings are what both sides share; links that differ in one quantity only keep apart", () => {
  const planned = conditions({ page: ["A", "B"], link: ["10x1-20ms-0%", "10x1-20ms-1%"] });
  const all = gains(
    planned.map((condition) => okLoad(condition, condition.values.protocol === "h1" ? 200 : 100)),
    sides,
    planned,
  );
  assert.deepEqual(
    all.map(({ setting }) => `${setting.page} ${setting.loss}`),
    ["A 0", "A 1", "B 0", "B 1"],
  );
  assert.ok(all.every(({ setting, gain }) => !("protocol" in setting) && gain === 2));
});

test("a case that changes the link has settings without a link", () => {
  const planned = conditions({ link: ["10x1-20ms-0%", "20x2-20ms-0%"], protocol: ["h1"] });
  const [gain] = gains(
    planned.map((condition) => okLoad(condition, condition.values.down === 10 ? 300 : 100)),
    {
      base: { link: "10x1-20ms-0%" },
      option: { link: "20x2-20ms-0%" },
    },
    planned,
  );
  assert.equal(gain?.gain, 3);
  const named = Object.keys(gain.setting);
  assert.deepEqual(
    named.filter((name) => ["link", "rate", "down", "up", "rtt", "loss", "queue"].includes(name)),
    [],
  );
  assert.ok(["page", "servers", "protocol", "initcwnd"].every((name) => named.includes(name)));
});

test("loads of neither side do not matter", () => {
  const other = conditions({ protocol: ["h3"] })[0]!;
  const all = gains([okLoad(h1, 300), okLoad(h2, 100), okLoad(other, 1)], sides, [h1, h2, other]);
  assert.deepEqual(
    all.map(({ gain }) => gain),
    [3],
  );
});
