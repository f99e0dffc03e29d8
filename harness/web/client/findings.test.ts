import assert from "node:assert/strict";
import { test } from "node:test";
import { partNames } from "../../explain/parts.ts";
import type { RunView } from "../data/run-view.ts";
import { findingsOf, howOften, type Known, separatingAxes, verdictWord } from "./findings.ts";

const values = [1, 2].flatMap((servers) => [0, 1].flatMap((loss) => [20, 100].map((rtt) => ({ servers, loss, rtt }))));
/** Only loss matters: without loss the option is twice as fast, with loss half as fast. */
const speedupAt = ({ loss }: { loss: number }) => (loss === 0 ? 2 : 0.5);
const partsOf = (ms: { waiting: number; window: number }) =>
  partNames.map((name) => (name in ms ? ms[name as keyof typeof ms] : 0));
const run = {
  rows: ["servers"],
  columns: ["rtt", "loss"],
  conditions: values.flatMap((scenario) => [
    { values: scenario, parts: partsOf({ waiting: 60, window: 40 }), measures: { connections: 6 } },
    {
      values: scenario,
      parts: partsOf(speedupAt(scenario) > 1 ? { waiting: 10, window: 40 } : { waiting: 60, window: 140 }),
      measures: { connections: 1 },
    },
  ]),
} as unknown as RunView;
const known = values.map(
  (scenario, i): Known => ({
    baseline: 2 * i,
    option: 2 * i + 1,
    speedup: speedupAt(scenario),
    ...{ bound: null, unknown: false, interval: null },
    flagged: 0,
    loads: 2,
  }),
);

test("separatingAxes finds the axis that explains the speedups, and leaves out a second axis that explains nothing more", () => {
  const uneven = known.map((speedup, i) => ({ ...speedup, speedup: speedup.speedup * (i % 3 === 0 ? 1.1 : 1) }));
  assert.deepEqual(separatingAxes(run, uneven), ["loss"]);
  assert.deepEqual(separatingAxes(run, known.slice(0, 1)), []);
});

test("a finding shows whether the option is faster, which parts of the time change, and how many connections each side uses", () => {
  const [without, lossy] = findingsOf(run, known, ["loss"]);
  assert.deepEqual(without!.reasons, [{ name: "waiting", more: -0.5 }]);
  assert.deepEqual(lossy!.reasons, [{ name: "window", more: 1 }]);
  assert.deepEqual(lossy!.connections, [6, 1]);
  assert.equal(verdictWord(lossy!), "slower");
  assert.equal(howOften(lossy!), "in all 4 scenarios");
  const even = { ...lossy!, mean: { value: 1.01, bound: null }, faster: 2, slower: 2 };
  assert.equal(verdictWord(even), "mixed");
  assert.equal(howOften(even), "faster in 2, slower in 2 of 4 scenarios");
  assert.equal(verdictWord({ ...even, faster: 0, slower: 1 }), "the same");
});
