import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdviseReport } from "./advise-report.ts";
import { computingOf } from "./computing.ts";

const users = [
  { link: "Cable", percent: 75 },
  { link: "4G", percent: 25 },
];
const reportOf = (value: number | null, bound?: "above") =>
  ({ plan: { users }, estimates: { unchangedMs: { value, bound } } }) as unknown as AdviseReport;
const real = {
  folder: "results/computing-1",
  timesMs: new Map([
    ["Cable", [1000, 1010, 1020, 1030, 1040, 1100]],
    ["4G", [2000, 2100, 2200, 2200, 2300, 2400]],
  ]),
};

test("the share of computing is what the real clock has beyond the virtual one, weighted by users", () => {
  const found = computingOf(reportOf(1000), real)!;
  assert.deepEqual(found.realMs, {
    value: 0.75 * 1025 + 0.25 * 2200,
    low: 0.75 * 1000 + 0.25 * 2000,
    high: 0.75 * 1100 + 0.25 * 2400,
  });
  assert.equal(found.percent.value, 100 * (1 - 1000 / found.realMs.value));
  assert.ok(found.percent.low < found.percent.value && found.percent.value < found.percent.high);
});

test("a page that never ended on the virtual clock has no share", () => {
  assert.equal(computingOf(reportOf(null), real), null);
  assert.equal(computingOf(reportOf(120_000, "above"), real), null);
});
