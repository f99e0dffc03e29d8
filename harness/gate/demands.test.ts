/** Checks with made-up loads when a gate fails, passes or is undecided. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetsOf } from "./budgets.ts";
import { demandsOn, gravestOf } from "./demands.ts";
import { comparisonsOf } from "./differences.ts";
import { type MadeUp, madeUpSample, times } from "./made-up-sample.fixture.ts";
import { mediansOf } from "./sample.ts";

const links = 3;
function demands(before: readonly MadeUp[] | null, after: readonly MadeUp[], budget?: string) {
  const [from, to] = [before && madeUpSample(before), madeUpSample(after)];
  const comparisons = from ? comparisonsOf(from, to, links) : {};
  const budgets = budget ? budgetsOf(budget, ["Cable"]) : [];
  return demandsOn({ link: "Cable", after: mediansOf(to), comparisons }, { threshold: 0.02, budgets });
}
const gate = (...given: Parameters<typeof demands>) => gravestOf(demands(...given).map(({ result }) => result));
const of = (measure: string, ...given: Parameters<typeof demands>) =>
  demands(...given).find((demand) => demand.measure === measure)!;

/** Returns ten values close to a given time, in milliseconds. */
const around = (ms: number) => [0, 3, -2, 1, -1, 2, -3, 1, 0, -1].map((permille) => ms * (1 + permille / 1000));

test("a measure fails if its whole interval is above what is allowed; a paint may always come 20 ms later", () => {
  assert.equal(gate(times(around(1000)), times(around(1000))), "passed");
  assert.equal(gate(times(around(1000)), times(around(1015))), "passed");
  assert.equal(gate(times(around(1000)), times(around(1050))), "failed");
  const paints = (ms: number) => around(1000).map((pageLoadMs) => ({ pageLoadMs, paintMs: ms }));
  assert.equal(gate(paints(400), paints(420)), "passed");
  assert.equal(gate(paints(400), paints(430)), "failed");
  assert.match(
    of("firstContentfulPaint", paints(400), paints(430)).demand,
    /^first contentful paint at most 5\.2% longer/,
  );
});

test("a measure passes if its interval contains the threshold, and the result names the interval's upper end", () => {
  const wide = around(1000).map((ms, i) => ms * (i % 2 ? 1.2 : 0.9));
  const { result, perhaps } = of("pageLoad", times(around(1000)), times(wide));
  assert.equal(result, "passed");
  assert.match(perhaps!, /^no more than \+\d\d\.\d%$/);
  assert.equal(of("pageLoad", times(around(1000)), times(around(900))).perhaps, null);
});

test("loads that never end count as longer than all other loads", () => {
  const slow = times([...around(9200).slice(0, 4), ...Array(6).fill(null)]);
  const { result, measured } = of("pageLoad", times(around(1000)), slow);
  assert.equal(result, "failed");
  assert.match(measured, /^unbounded \(\+8\d\d\.\d% to unbounded\); 6 of 10 loads have no value \(before: 0 of 10\)$/);
  assert.equal(gate(times(around(1000)), times(Array(10).fill(null))), "failed");
  assert.equal(gate(times(Array(10).fill(null)), times(around(1000))), "passed", "now it ends");
});

test("a page fails if more of its loads never end than chance explains, even if its other loads are as fast as before", () => {
  const ending = (count: number) => times([...around(1000).slice(0, count), ...Array(10 - count).fill(null)]);
  const results = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((count) => gate(times(around(1000)), ending(count)));
  const [passed, undecided, failed] = ["passed", "undecided", "failed"];
  assert.deepEqual(results.slice(0, 5), Array(5).fill(passed));
  assert.deepEqual(results.slice(5, 7), [undecided, undecided]);
  assert.deepEqual(results.slice(7), Array(4).fill(failed));
  assert.equal(of("pageLoad", times(around(1000)), ending(9)).perhaps, "no upper limit");
  assert.equal(gate(ending(8), ending(7)), "passed", "as before");
});

test("a pair of loads (one of each page) is not compared if neither ended; a measure with fewer than five other pairs is undecided", () => {
  const few = times([...around(1000).slice(0, 4), ...Array(6).fill(null)]);
  const { result, measured } = of("pageLoad", few, few);
  assert.equal(result, "undecided");
  assert.match(
    measured,
    /^known for 4 pairs of loads, but 5 are needed; 6 of 10 loads have no value \(before: 6 of 10\)$/,
  );
  assert.equal(gate(times(Array(10).fill(null)), times(Array(10).fill(null))), "undecided");
});

test("a measure is undecided if in half of the blocks neither load ended, even if the other blocks show no difference", () => {
  const ending = (loads: number, count: number) =>
    times(Array.from({ length: loads }, (_, i) => (i < count ? around(1000)[i % 10]! : null)));
  const { result, measured } = of("pageLoad", ending(20, 10), ending(20, 10));
  assert.equal(result, "undecided");
  assert.match(measured, /^\+0\.0% \(\+0\.0% to \+0\.0%\); 10 of 20 loads have no value \(before: 10 of 20\)$/);
  assert.equal(of("pageLoad", ending(20, 14), ending(20, 14)).result, "passed");
});

test("a slower page does not pass, even if only five to ten loads are made and one or two of them never end", () => {
  for (const loads of [5, 6, 8, 10])
    for (const hanging of [0, 1, 2]) {
      const slower = around(3000)
        .slice(0, loads)
        .map((ms, i) => (i < hanging ? null : ms));
      const { result, measured } = of("pageLoad", times(around(1000).slice(0, loads)), times(slower));
      assert.equal(result, loads - hanging < 5 ? "undecided" : "failed", `${hanging} of ${loads}: ${measured}`);
    }
  const once = times([100, 101, null, 100, 99, 100, 101]);
  const threefold = times([300, 303, 301, 300, 299, 302, 301]);
  assert.equal(of("pageLoad", once, threefold).result, "undecided", "the earlier page hung once");
  const faster = around(300).slice(0, 8);
  assert.equal(of("pageLoad", times([null, ...around(1000).slice(1, 8)]), times(faster)).result, "passed");
});

test("the allowed delay of a paint, in percent, is computed from the earlier page's known paint times", () => {
  const hung = around(1000).map((ms, i) => ({ pageLoadMs: i < 5 ? ms : null, paintMs: i < 5 ? 100 : null }));
  const painted = around(1000).map((pageLoadMs) => ({ pageLoadMs, paintMs: 138 }));
  assert.match(of("firstContentfulPaint", hung, painted).demand, /at most 20\.7% longer/);
});

test("a largest contentful paint whose time is unknown is undecided, unless the time is already longer than the budget", () => {
  const unseen = times(around(1000)).map((load) => ({ ...load, paintMs: 400, largestIsUnknown: true as const }));
  const largest = "largestContentfulPaint";
  const budget = of(largest, null, unseen, `${largest}=120s`);
  assert.deepEqual([budget.result, budget.measured], ["undecided", "longer than 0.4 s"]);
  assert.equal(of(largest, null, unseen, `${largest}=300ms`).result, "failed");
  assert.equal(of(largest, times(around(1000)), unseen).result, "undecided");
  assert.equal(of(largest, unseen, times(around(1000))), undefined);
});

test("a page that no longer paints, or only in few loads, fails; a paint that the earlier page never had is not demanded", () => {
  const painted = (count: number) =>
    around(1000).map((pageLoadMs, i) => ({ pageLoadMs, paintMs: i < count ? 400 : null }));
  assert.equal(of("firstContentfulPaint", painted(10), painted(0)).result, "failed");
  assert.equal(of("firstContentfulPaint", painted(10), painted(3)).result, "failed");
  assert.equal(of("firstContentfulPaint", painted(10), painted(5)).result, "undecided");
  assert.equal(of("firstContentfulPaint", painted(2), painted(2)).result, "undecided", "a paint that few loads have");
  assert.equal(of("firstContentfulPaint", painted(0), painted(10)), undefined);
  assert.equal(of("firstContentfulPaint", painted(0), painted(0)), undefined);
});

test("budgets use the median of all loads, including those that never ended", () => {
  const half = times([...around(1000).slice(0, 5), ...Array(5).fill(null)]);
  const { result, measured } = of("pageLoad", null, half, "pageLoad=2s");
  assert.deepEqual([result, measured], ["failed", "longer than 60.5 s"]);
  const most = times([...around(1000).slice(0, 4), ...Array(6).fill(null)]);
  assert.equal(of("pageLoad", null, most, "pageLoad=2s").measured, "longer than 120 s");
  assert.equal(of("pageLoad", null, most, "pageLoad=130s").result, "undecided", "longer than the time-out");
  const one = times([...around(1000).slice(0, 9), null]);
  assert.equal(of("pageLoad", null, one, "pageLoad=2s").result, "passed");
});

test("the paint time of a load that never ended is unknown, so a budget for paints may be undecided", () => {
  const endless = around(1000).map((pageLoadMs, i) => ({
    pageLoadMs: i < 4 ? pageLoadMs : null,
    paintMs: i < 4 ? 400 : null,
  }));
  const { result, measured } = of("firstContentfulPaint", null, endless, "firstContentfulPaint=2s");
  assert.deepEqual([result, measured], ["undecided", "unknown"]);
});

test("the number of requests in a load that never ended is a lower bound, so a budget for requests may be undecided", () => {
  const half = times([...around(1000).slice(0, 4), ...Array(6).fill(null)]);
  const { result, measured } = of("requests", null, half, "requests=5");
  assert.deepEqual([result, measured], ["undecided", "at least 2"]);
  assert.equal(of("requests", null, half, "requests=1").result, "failed");
});

test("a paint that is missing in most loads exceeds its budget", () => {
  const unpainted = around(1000).map((pageLoadMs, i) => ({ pageLoadMs, paintMs: i < 4 ? 400 : null }));
  const { result, measured } = of("firstContentfulPaint", null, unpainted, "firstContentfulPaint=1s");
  assert.deepEqual([result, measured], ["failed", "none"]);
});

/** Makes ten loads with unchanged times and these layout-shift scores. */
const shifting = (scores: readonly number[]) =>
  times(around(1000)).map((load, i) => ({ ...load, layoutShift: scores[i % scores.length]! }));

test("with five pairs of loads, more layout shift is undecided, because the interval from their ranks misses the truth in one of 16 cases", () => {
  const five = (scores: readonly number[]) => shifting(scores).slice(0, 5);
  const scores = [0.1, 0.11, 0.12, 0.13, 0.14];
  assert.equal(of("cumulativeLayoutShift", five([0]), five(scores)).result, "undecided");
  const { result, perhaps } = of("cumulativeLayoutShift", five([0]), five([0]));
  assert.deepEqual([result, perhaps], ["passed", null]);
  assert.equal(of("cumulativeLayoutShift", shifting([0]), shifting(scores)).result, "failed", "ten pairs can");
});

test("layout shifts are compared by difference instead of ratio, and may grow by the resolution of the browser's score", () => {
  const layoutShift = "cumulativeLayoutShift";
  assert.equal(gate(shifting([0]), shifting([0])), "passed");
  assert.equal(gate(shifting([0]), shifting([0.003])), "passed", "a shift by less than 3 pixels counts as 0");
  assert.equal(gate(shifting([0.2]), shifting([0])), "passed");
  const { demand, result, measured } = of(layoutShift, shifting([0.02]), shifting([0.2]));
  assert.deepEqual([demand, result], ["cumulative layout shift at most 0.004 more than before", "failed"]);
  assert.equal(measured, "+0.180 (+0.180 to +0.180)");
  assert.equal(of(layoutShift, shifting([0.1]), shifting([0.1, 0.3])).perhaps, "no more than +0.200");
  assert.equal(of(layoutShift, null, shifting([0.2]), "cumulativeLayoutShift=0.1").result, "failed");
  assert.equal(of(layoutShift, null, shifting([0.05]), "cumulativeLayoutShift=0.1").measured, "0.05");
});

test("if an old run did not record layout shifts, intervals are computed for three compared measures instead of four", () => {
  const [before, after] = [around(1000), around(1000).map((ms, i) => ms * (1 + i / 20))];
  const was = of("pageLoad", times(before), times(after)).measured;
  assert.equal(of("cumulativeLayoutShift", times(before), times(after)), undefined);
  const later = times(after).map((load) => ({ ...load, layoutShift: 0 }));
  assert.notEqual(of("pageLoad", shifting([0]), later).measured, was, "four measures have wider intervals than three");
});
