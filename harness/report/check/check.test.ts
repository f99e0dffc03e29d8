import assert from "node:assert/strict";
import { test } from "node:test";
import { blockRun, openRun } from "../../record/run-folder.ts";
import type { SummaryTable } from "../tables/summary.ts";
import { checked, demandOf, filterFrom } from "./check.ts";

const { experiment } = openRun(blockRun).manifest;

test("a comparison goes by its id, its title, or what its option changes", () => {
  for (const name of ["1", "SPDY", "h2"]) assert.equal(demandOf(`${name}=1.2`, experiment).comparison, "1");
  assert.equal(demandOf("h2+10=1.2", experiment).comparison, "3");
  assert.throws(() => demandOf("h4=1.2", experiment), /no comparison "h4"; there is: 1 or SPDY or h2;/);
  assert.throws(() => demandOf("h2", experiment), /a comparison and a speedup are needed/);
});

test("a filter has values as axes write them", () =>
  assert.deepEqual(filterFrom(["page=A,B", "rtt=100ms"]), { page: ["A", "B"], rtt: [100] }));

const basis = { scenarios: 3, plannedScenarios: 3, loads: 6, plannedLoads: 6, flaggedLoads: 0 };
const table = (mean: number | null, scenarios = 3) =>
  ({
    comparisons: [{ subsetGeometricMean: mean, subsetInterval: null, subsetBasis: { ...basis, scenarios } }],
  }) as unknown as SummaryTable;
const demand = { comparison: "1", named: "h2", least: 1.2 };

test("a demand is reached by its mean, where every scenario has one", () => {
  assert.equal(checked(table(1.2), demand).isReached, true);
  assert.deepEqual(checked(table(1.19), demand), {
    isReached: false,
    why: "h2: the geometric mean of speedups is 1.190, less than 1.2; too few blocks for an interval, 3 scenarios",
  });
  assert.match(checked(table(1.5, 2), demand).why, /at least 1\.2; .*1 without loads/);
  assert.equal(checked(table(1.5, 2), demand).isReached, false);
  assert.equal(checked(table(null), demand).isReached, false);
});
