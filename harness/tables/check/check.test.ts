import assert from "node:assert/strict";
import { test } from "node:test";
import { blockRun } from "../../record/find-run.ts";
import { openRun } from "../../record/run-folder.ts";
import type { SummaryTable } from "../summary.ts";
import { checked, demandOf, filterFrom } from "./check.ts";

const { experiment } = openRun(blockRun).manifest;

test("a requirement names a comparison by id, by title, or by the axis values that the option changes", () => {
  for (const name of ["1", "SPDY", "h2"]) assert.equal(demandOf(`${name}=1.2`, experiment).comparison, "1");
  assert.equal(demandOf("h2+10=1.2", experiment).comparison, "3");
  assert.throws(() => demandOf("h4=1.2", experiment), /unknown comparison "h4"; known: 1 or SPDY or h2;/);
  assert.throws(() => demandOf("h2", experiment), /a comparison and a speedup are needed/);
});

test("filterFrom parses each value of --only with the value's axis", () =>
  assert.deepEqual(filterFrom(["page=A,B", "rtt=100ms"]), { page: ["A", "B"], rtt: [100] }));

const basis = { scenarios: 3, plannedScenarios: 3, endlessScenarios: 0, loads: 6, plannedLoads: 6, flaggedLoads: 0 };
const table = (mean: number | null, ends: [number, number] | null, scenarios = 3) =>
  ({
    comparisons: [
      {
        subsetGeometricMean: mean,
        subsetBounds: {},
        subsetInterval: ends && { low: ends[0], high: ends[1] },
        subsetBasis: { ...basis, scenarios },
      },
    ],
  }) as unknown as SummaryTable;
const demand = { comparison: "1", named: "h2", least: 1.2 };

test("a requirement is reached only if the whole interval is at or above it, because a mean may exceed it by chance", () => {
  const resultOf = (...of: Parameters<typeof table>) => checked(table(...of), demand).result;
  assert.equal(resultOf(1.3, [1.2, 1.4]), "reached");
  assert.equal(resultOf(1.3, [1.1, 1.5]), "undecided");
  assert.equal(resultOf(1.1, [1, 1.2]), "undecided");
  assert.equal(resultOf(1.1, [1, 1.19]), "not reached");
  assert.equal(resultOf(1.5, [1.3, Infinity]), "reached", "loads of the baseline never ended");
  assert.equal(resultOf(1.5, null), "undecided", "fewer than five blocks");
  assert.equal(resultOf(1.5, [1.3, 1.7], 2), "undecided", "a scenario has no loads");
  assert.equal(resultOf(null, null, 0), "undecided");
});

test("the reason for a check's result has the mean, the mean's interval if there is one, and the number of scenarios with and without loads", () => {
  assert.deepEqual(checked(table(1.19, null), demand), {
    result: "undecided",
    why: "h2: the geometric mean of speedups is 1.190, required: 1.2; too few blocks for an interval, 3 scenarios",
  });
  assert.match(
    checked(table(1.5, [1.3, 1.7], 2), demand).why,
    /is 1\.500, required: 1\.2; 95% interval 1\.300 to 1\.700, 2 scenarios, 1 without loads$/,
  );
});
