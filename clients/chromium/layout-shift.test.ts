import assert from "node:assert/strict";
import { test } from "node:test";
import { cumulativeLayoutShift } from "./layout-shift.ts";

const of = (...shifts: [atSeconds: number, score: number][]) =>
  cumulativeLayoutShift(shifts.map(([atSeconds, score]) => ({ atSeconds, score })));

test("the cumulative layout shift is the largest sum of shifts that are less than one second apart", () => {
  assert.equal(of(), 0);
  assert.equal(of([10, 0.1], [10.9, 0.05], [11.8, 0.02]), 0.17);
  assert.equal(of([10, 0.1], [11, 0.05], [11.5, 0.06]), 0.11, "a whole second ends a window");
  assert.equal(of([10, 0.2], [12, 0.05]), 0.2);
});

test("a session window of layout shifts ends after five seconds, even if elements keep moving", () => {
  const steady = Array.from({ length: 12 }, (_, i): [number, number] => [100 + i / 2, 0.01]);
  assert.equal(of(...steady), 0.1);
});
