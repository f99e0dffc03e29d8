import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlatCondition, LoadRecord } from "../../../schema/model.ts";
import { redrawBlocks } from "../../statistics/resample.ts";
import { countLoads } from "./counted.ts";
import { gainsOf, redrawMedians } from "./gains.ts";
import { conditions, failedLoad, okLoad } from "./synthetic-loads.ts";

const sides = { base: { protocol: "h1" }, option: { protocol: "h2" } };
const [h1, h2] = conditions({}) as [FlatCondition, FlatCondition];

function gains(loads: LoadRecord[], contrast: Parameters<typeof gainsOf>[1] = sides) {
  const { samples } = countLoads(loads, 3);
  const redraws = redrawBlocks(samples.flatMap(({ byBlock }) => [...byBlock.keys()]));
  return gainsOf("1", contrast, samples, redrawMedians(samples, redraws));
}
const inBlocks = (condition: FlatCondition, times: number[]) =>
  times.map((ms, i) => okLoad(condition, ms, { block: i + 1 }));

test("gain = median of the base / median of the option", () => {
  const [gain] = gains([...inBlocks(h1, [100, 900, 200]), ...inBlocks(h2, [400, 50, 80])]);
  assert.equal(gain?.baseMedianMs, 200);
  assert.equal(gain.optionMedianMs, 80);
  assert.equal(gain.gain, 2.5);
  assert.deepEqual([gain.baseLoads, gain.optionLoads], [3, 3]);
});

test("the interval, by hand: two blocks give the gains 1, 1.5, 1.5, 2 in the four redraws", () => {
  const [gain] = gains([...inBlocks(h1, [100, 200]), ...inBlocks(h2, [100, 100])]);
  assert.deepEqual(gain?.interval, { low: 1, high: 2 });
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

test("a single block, or a single load on a side, has a gain but no interval", () => {
  const [single] = gains([okLoad(h1, 300), okLoad(h2, 200)]);
  assert.deepEqual([single?.gain, single?.interval], [1.5, null]);
  const [thin] = gains([...inBlocks(h1, [100, 200, 300]), okLoad(h2, 100)]);
  assert.deepEqual([thin?.gain, thin?.interval], [2, null]);
});

test("a missing side is reported missing, not guessed", () => {
  const [gain] = gains([...inBlocks(h1, [100, 200]), failedLoad(h2)]);
  assert.deepEqual([gain?.gain, gain?.interval, gain?.optionLoads], [null, null, 0]);
  assert.deepEqual([gain?.baseMedianMs, gain?.optionMedianMs], [150, null]);
});

test("settings are what both sides share; channels that differ in a link field only keep apart", () => {
  const planned = conditions({ page: ["A", "B"], channel: ["10x1-20ms-0%", "10x1-20ms-1%"] });
  const all = gains(planned.map((condition) => okLoad(condition, condition.protocol === "h1" ? 200 : 100)));
  assert.deepEqual(
    all.map(({ setting }) => `${setting.page} ${setting.lossPercent}`),
    ["A 0", "A 1", "B 0", "B 1"],
  );
  assert.ok(all.every(({ setting, gain }) => !("protocol" in setting) && gain === 2));
});

test("a case that changes the channel has settings without a link", () => {
  const planned = conditions({ channel: ["10x1-20ms-0%", "20x2-20ms-0%"], protocol: ["h1"] });
  const [gain] = gains(
    planned.map((condition) => okLoad(condition, condition.downMbps === 10 ? 300 : 100)),
    {
      base: { channel: "10x1-20ms-0%" },
      option: { channel: "20x2-20ms-0%" },
    },
  );
  assert.equal(gain?.gain, 3);
  assert.deepEqual(Object.keys(gain.setting), ["page", "servers", "protocol", "initcwnd", "server", "congestion"]);
});

test("loads of neither side do not matter", () => {
  const other = conditions({ protocol: ["h3"] })[0]!;
  assert.equal(gains([okLoad(h1, 300), okLoad(h2, 100), okLoad(other, 1)]).length, 1);
  assert.equal(gains([okLoad(h1, 300), okLoad(h2, 100), okLoad(other, 1)])[0]?.gain, 3);
});
