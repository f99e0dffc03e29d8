/** Checks the causes' shares, computed from made-up loads whose times are known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isRemoved, type WhyPlan } from "../plan/why-plan.ts";
import { resampleBlocks } from "../statistics/resample.ts";
import { parseStatistic } from "../statistics/statistic.ts";
import { chosenPlan } from "./choose.ts";
import { estimatesOf, type MediansOf } from "./estimates.ts";

const median = parseStatistic("median")!;
const blocks = Array.from({ length: 10 }, (_, i) => i + 1);
const resamples = resampleBlocks(blocks);

/** Cause -> how many milliseconds the second side waits because of the cause. The first side does not wait. */
type Waits = Record<string, number>;
const plan = (waits: Waits): Pick<WhyPlan, "causes"> => ({
  causes: Object.keys(waits).map((name) => ({ name, removed: { loss: 0 }, from: [0, 1] })),
});
/** By default, `noise` is the same for both sides of a block, so differences do not vary. */
const mediansOf =
  (waits: Waits, other = 50, noise: (side: number, block: number) => number = (_, block) => block): MediansOf =>
  (removed) => {
    const waited = Object.values(waits).reduce((sum, ms, i) => sum + (isRemoved(removed, i) ? 0 : ms), other);
    const sideOf = (side: 0 | 1) => {
      const byBlock = new Map(blocks.map((block) => [block, 1000 + side * waited + noise(side, block)]));
      return median.estimate([{ byBlock }], resamples);
    };
    return [sideOf(0), sideOf(1)];
  };
const values = (all: readonly { name: string; ms: { value: number } | null }[]) =>
  Object.fromEntries(all.map(({ name, ms }) => [name, Math.round(ms!.value * 1000) / 1000]));

test("each cause's share is the wait that it adds; all shares and the rest add up to the difference", () => {
  const waits = { loss: 300, queue: 100, window: 50 };
  const { causes, restMs, differenceMs, restPercent } = estimatesOf(plan(waits), mediansOf(waits));
  assert.deepEqual(values(causes), waits);
  assert.equal(restMs.value, 50);
  assert.equal(differenceMs.value, 500);
  assert.equal(Math.round(causes[0]!.percent!.value), 60);
  assert.equal(Math.round(restPercent!.value), 10);
  assert.deepEqual([causes[0]!.aloneMs.value, causes[0]!.lastMs.value], [300, 300]);
});

test("the order of the causes does not change their shares", () => {
  const waits = { loss: 300, queue: 100, window: 50 };
  const turned = { window: 50, queue: 100, loss: 300 };
  const shares = (one: Waits) => values(estimatesOf(plan(one), mediansOf(one)).causes);
  assert.deepEqual(shares(turned), shares(waits));
});

test("a cause that changes nothing has a share of 0, and an interval that contains 0", () => {
  const waits = { loss: 300, nothing: 0 };
  const noise = (side: number, block: number) => 20 * Math.sin(17 * block + 5 * side);
  const { causes } = estimatesOf(plan(waits), mediansOf(waits, 50, noise));
  const { value, interval } = causes[1]!.ms!;
  assert.ok(Math.abs(value) < 1e-9 && interval!.low <= 0 && interval!.high >= 0, JSON.stringify(causes[1]));
});

test("if the interval of the difference contains 0, no share is given in percent", () => {
  const waits = { loss: 1 };
  const noise = (side: number, block: number) => 100 * Math.sin(17 * block + 5 * side);
  const { causes, restPercent } = estimatesOf(plan(waits), mediansOf(waits, 0, noise));
  assert.deepEqual([causes[0]!.percent, restPercent], [null, null]);
  assert.ok(causes[0]!.ms);
});

test("a quick run has no shares and no interactions", () => {
  const waits = { loss: 300, queue: 100, window: 50 };
  const { causes, interactions, restMs } = estimatesOf({ ...plan(waits), quick: true }, mediansOf(waits));
  assert.deepEqual([causes.map(({ ms }) => ms), interactions, restMs.value], [[null, null, null], [], 50]);
});

test("the causes that change the difference most are chosen, and the others are listed as left out", () => {
  const waits = { a: 10, b: 600, c: 50, d: 400, e: 0, f: 300, g: 200 };
  // The noise changes the difference more than some causes do.
  const noise = (side: number, block: number) => 900 * Math.sin(17 * block + 5 * side);
  const { causes } = estimatesOf({ ...plan(waits), quick: true }, mediansOf(waits, 50, noise));
  const whole = { ...plan(waits), compared: "protocol", sides: ["h1", "h2"], fixed: {}, notRemoved: [] } as WhyPlan;
  const chosen = chosenPlan({ ...whole, quick: true, choosesFor: 10 }, causes);
  assert.deepEqual(
    chosen.causes.map(({ name }) => name),
    ["b", "c", "d", "f", "g"],
  );
  assert.deepEqual([chosen.leftOut, chosen.quick, chosen.choosesFor], [["a", "e"], undefined, undefined]);
});
