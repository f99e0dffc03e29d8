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
const byBlock = (ms: number[]) => new Map(ms.map((one, i) => [i + 1, one]));
const real = {
  folder: "results/computing-1",
  times: new Map([
    [
      "",
      new Map([
        ["Cable", byBlock([1000, 1010, 1020, 1030, 1040, 1100])],
        ["4G", byBlock([2400, 2000, 2100, 2200, 2200, 2300])],
      ]),
    ],
  ]),
};

test("the share of computing is the part of the real clock's median time that exceeds the virtual clock's time", () => {
  const found = computingOf(reportOf(1000), real)!;
  const inBlocks = [1350, 1257.5, 1290, 1322.5, 1330, 1400];
  assert.deepEqual(found.realMs, {
    value: (1322.5 + 1330) / 2,
    low: Math.min(...inBlocks),
    high: Math.max(...inBlocks),
  });
  assert.equal(found.percent.value, 100 * (1 - 1000 / found.realMs.value));
  assert.ok(found.percent.low < found.percent.value && found.percent.value < found.percent.high);
});

test("if the page's time on the virtual clock is unknown or only a bound, computingOf returns null", () => {
  assert.equal(computingOf(reportOf(null), real), null);
  assert.equal(computingOf(reportOf(120_000, "above"), real), null);
});
