import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "../../schema/plan.ts";
import { readRun } from "../record/records.ts";
import { renderConditions, renderConditionsCsv } from "./conditions.ts";
import { renderMarkdown } from "./markdown.ts";
import { buildTables } from "./report.ts";
import { tablesOf } from "./run-tables.ts";
import { conditions, okLoad, paperExperiment } from "./synthetic-loads.fixture.ts";

const planned = conditions({});
const [h1] = planned as [Condition];
const loads = [1000, 1400, 1100, 1300, 1200].map((ms, i) => okLoad(h1, ms, { block: i + 1 }));
const report = buildTables(loads, { ...paperExperiment, loads: 6 }, null, { clock: "virtual", conditions: planned });

test("a row has a condition's number of loads, median and quartiles; a condition without loads has dashes instead of times", () => {
  const text = renderConditions(report);
  assert.match(text, /^# Analysis of SPDY and TCP initcwnd: 2 conditions$/m);
  assert.match(text, /page load time of each condition's loads, virtual clock/);
  assert.match(text, /\| A\/1s\/10x1-20ms-0%\/h1\/iw3 \| 5 of 6 \| +0 \| +1200 \| +1100–1300 \| +16\.7% \|/);
  assert.match(text, /h2\/iw3 \| 0 of 6 \| +0 \| +– \| +– \| +– \|/);
});

test("the CSV has each condition's fields, number of loads, median and quartiles; unknown numbers are empty", () => {
  const [header, first, second] = renderConditionsCsv(report).trim().split("\n");
  assert.match(
    header!,
    /^clock,condition,page,.*servers,.*rttMs,.*,unit,loads,plannedLoads,flaggedLoads,median,lowerQuartile,/,
  );
  assert.match(first!, /^virtual,A\/1s\/10x1-20ms-0%\/h1\/iw3,A,.*,1,.*,ms,5,6,0,1200,1100,1300$/);
  assert.match(second!, /,0,6,0,,,$/);
});

test("if a median or quartile lies among loads that never ended, 'never ended' is printed instead of a number", () => {
  const endless = loads.map((load, i) => (i < 3 ? { ...load, observed: "longer" as const } : load));
  const made = buildTables(endless, { ...paperExperiment, loads: 6 }, null, { clock: "virtual", conditions: planned });
  const text = renderConditions(made);
  assert.match(text, /h1\/iw3 \| 5 of 6 \| +0 \| +never ended \| +1300–never ended \| +– \|/);
  assert.doesNotMatch(text, /NaN|Infinity/);
});

test("if a condition's times fall into separate groups, a table has each group's times and retransmitted segments", () => {
  const times = [...Array(6).fill(2000), ...Array(4).fill(3000)] as number[];
  const modal = times.map((ms, i) => okLoad(h1, ms, { block: i + 1 }));
  const repeated = () => (_: string, block: number) => ({ "s1.lab": block <= 6 ? 5 : 20 + block, "s2.lab": 0 });
  const facts = { clock: "virtual", conditions: planned, repeated } as const;
  const made = buildTables(modal, { ...paperExperiment, loads: 10 }, null, facts);
  const text = renderConditions(made);
  assert.match(text, /^## Conditions whose times fall into separate groups$/m);
  assert.match(text, /\| A\/1s\/10x1-20ms-0%\/h1\/iw3 \| 6 +\| +2000 \| +s1\.lab 5, s2\.lab 0 \|/);
  assert.match(text, /\| +\| 4 +\| +3000 \| +s1\.lab 27–30, s2\.lab 0 \|/);
  assert.match(renderMarkdown(made), /In 1 of 2 conditions the loads' times fall into separate groups/);
  assert.doesNotMatch(renderConditions(report), /separate groups/);
});

test("the groups of a saved run's loads have the number of retransmitted segments for each server", () => {
  const [first] = tablesOf(readRun("results/why/c-two-servers")).modes;
  const groups = first!.groups.map(({ size, repeatedSegments }) => [size, Object.keys(repeatedSegments)]);
  assert.deepEqual(groups, [
    [7, ["s1.lab", "s2.lab"]],
    [3, ["s1.lab", "s2.lab"]],
  ]);
});
