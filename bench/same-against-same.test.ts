import assert from "node:assert/strict";
import { test } from "node:test";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { countLoads } from "../harness/tables/counted.ts";
import { conditions, paperExperiment, run } from "../harness/tables/synthetic-loads.fixture.ts";
import { aaGroups, binomialRange, selfSpeedups } from "./same-against-same.ts";
import { aaMarkdown } from "./same-against-same-text.ts";

const planned = conditions(paperExperiment.axes);
const kindOf = (id: string) => (id.includes("-1%") ? "random loss" : "no loss");

/** Twenty blocks of loads that scatter by up to 10%, on a machine whose speed drifts. Loads of even blocks take `evenFactor` times as long. */
function samplesOf(evenFactor: number, seed = 1) {
  const generator = xoroshiro128plus(seed);
  const loads = run(planned, 20, ({ rttMs }, block) => {
    const scatter = 1 + 0.1 * (uniformFloat64(generator) - uniformFloat64(generator));
    return Number(rttMs) * 10 * scatter * (1 + block / 100) * (block % 2 ? 1 : evenFactor);
  });
  return countLoads(loads, { conditions: planned, loadsPerCondition: 20, metric: "pageLoadMs" }).samples;
}
const groupsOf = (evenFactor: number) => aaGroups(samplesOf(evenFactor), paperExperiment, kindOf);
const called = (groups: ReturnType<typeof groupsOf>, label: string) => groups.find((group) => group.label === label)!;

test("each condition's loads in odd blocks are compared with its loads in even blocks: 10 with 10 if there are 20 blocks", () => {
  const [speedup] = selfSpeedups(samplesOf(2));
  assert.deepEqual([speedup?.baselineLoads, speedup?.optionLoads], [10, 10]);
  assert.ok(speedup!.speedup! > 0.45 && speedup!.speedup! < 0.55, `${speedup!.speedup}`);
  assert.equal(speedup!.scenario.protocol, "h1", "a condition keeps its values");
});

test("if odd and even blocks differ by chance alone, the interval of the speedup between them contains 1 in about 95% of conditions", () => {
  const groups = groupsOf(1);
  const all = called(groups, "one condition: all");
  assert.equal(all.number, 288);
  assert.ok(all.holding >= all.expected!.from, `${all.holding} intervals contain 1, fewer than ${all.expected!.from}`);
  assert.ok(all.percentile5 < 1 && 1 < all.percentile95 && Math.abs(all.median - 1) < 0.02);
  assert.equal(called(groups, "one condition: random loss").number, 144);
  assert.equal(called(groups, "cells of page x servers").number, 9 * 4, "for h1 and h2, with each window");
  assert.equal(called(groups, "averages of rows, columns and tables").expected, null);
});

test("a difference of 10% between odd and even blocks is detected", () => {
  const all = called(groupsOf(1.1), "one condition: all");
  assert.ok(all.holding < all.number / 4, `${all.holding} of ${all.number} intervals contain 1`);
  assert.ok(all.median < 0.95);
});

test("conditions with only four odd and four even blocks have no interval, so they are not counted", () => {
  const few = samplesOf(1).map((sample) => ({
    ...sample,
    byBlock: new Map([...sample.byBlock].filter(([block]) => block <= 8)),
  }));
  assert.deepEqual(aaGroups(few, paperExperiment, kindOf), []);
});

test("the range expected for the number of intervals that contain 1 is the central 95% of a binomial distribution", () => {
  assert.deepEqual(binomialRange(20), { from: 17, to: 20 }); // P(<17) = 0.016, P(<=17) = 0.075
  assert.deepEqual(binomialRange(288), { from: 266, to: 280 });
});

test("the printed table has the percentage of false positives", () => {
  const text = aaMarkdown(groupsOf(1), "a run", "virtual", 10);
  assert.match(text, /Virtual clock\. Odd blocks are compared with even ones, 10 each/);
  assert.match(text, /\| one condition: all +\| +288 \| +2\d\d \(9\d\.\d%\) \| +266 to 280 \| +\d\.\d% \|/);
});
