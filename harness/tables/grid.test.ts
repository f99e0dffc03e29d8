import assert from "node:assert/strict";
import { test } from "node:test";
import type { GridSpec } from "../plan/comparisons.ts";
import { exactly, interval95 } from "../statistics/estimate.ts";
import { gridTable } from "./grid.ts";
import type { ResampledSpeedup } from "./speedups.ts";
import { isComplete } from "./statistics.ts";
import { conditions } from "./synthetic-loads.fixture.ts";

const spec: GridSpec = { id: "5", title: "T", comparison: "1", rows: "page", columns: "servers" };
const planned = conditions({
  page: ["B", "A"],
  servers: [1, 2],
  link: ["10x1-20ms-0%", "10x1-20ms-1%"],
  protocol: ["h2"],
});

/** Speedups in the order of `planned`: B1 0%, B1 1%, B2 0%, B2 1%, A1 0%, ... */
const speedups = (values: (number | null)[], plannedLoads = 10, resampled = new Float64Array()): ResampledSpeedup[] =>
  planned.map(({ values: scenario }, index) => ({
    comparison: "1",
    scenario,
    speedup: values[index] ?? null,
    ...{ bound: null, interval: null },
    estimate: values[index] == null ? null : exactly({ value: values[index], resampled, blocks: 5 }),
    baselineMedianMs: 1,
    optionMedianMs: 1,
    baselineLoads: values[index] == null ? 0 : 5,
    optionLoads: 5,
    plannedLoads,
    flaggedLoads: 0,
  }));
const known = speedups([1, 2, 3, 4, 5, 6, 7, 9]);
const numbers = (table: ReturnType<typeof gridTable>) =>
  table.rows.map(({ cells }) => cells.map(({ ours }) => ours && [ours.max, ours.mean, ours.min]));

test("each cell has the maximum, mean and minimum speedup of its scenarios; averages are over all scenarios of the row or column", () => {
  const table = gridTable(spec, known, null);
  assert.deepEqual(
    table.columns.map(({ label }) => label),
    ["1 server", "2 servers", "average"],
  );
  assert.deepEqual(
    table.rows.map(({ label }) => label),
    ["Page B", "Page A", "average"],
    "in the order of the plan",
  );
  assert.deepEqual(numbers(table), [
    [
      [2, 1.5, 1],
      [4, 3.5, 3],
      [4, 2.5, 1],
    ],
    [
      [6, 5.5, 5],
      [9, 8, 7],
      [9, 6.75, 5],
    ],
    [
      [6, 3.5, 1],
      [9, 5.75, 3],
      [9, 4.625, 1],
    ],
  ]);
});

test("`where` limits a table to some scenarios; rows and columns may be rate and rtt", () => {
  const table = gridTable({ ...spec, rows: "rate", columns: "rtt", where: { loss: [1] } }, known, null);
  assert.deepEqual(
    table.rows.map(({ key }) => key),
    ["10/1", "average"],
  );
  assert.deepEqual(
    table.columns.map(({ label }) => label),
    ["20ms", "average"],
  );
  assert.deepEqual(numbers(table)[0]![0], [9, 5.25, 2]);
});

test("missing scenarios and loads are counted, and a cell without any speedup is null", () => {
  const table = gridTable(spec, speedups([1, null, null, null, 5, 6, 7, 9], 8), null);
  const [thin, empty, average] = table.rows[0]!.cells;
  assert.deepEqual(numbers(table)[0], [[1, 1, 1], null, [1, 1, 1]]);
  assert.deepEqual([thin!.scenarios, thin!.plannedScenarios, thin!.loads, thin!.plannedLoads], [1, 2, 15, 16]);
  assert.deepEqual([empty!.scenarios, empty!.loads], [0, 10]);
  assert.deepEqual([average!.scenarios, average!.plannedScenarios], [1, 4]);
});

test("a cell that lacks one of its scenarios is incomplete, even if the other scenarios have more loads than planned", () => {
  const [thin] = gridTable(spec, speedups([1, null, 3, 4, 5, 6, 7, 9], 2), null).rows[0]!.cells;
  assert.ok(thin!.loads >= thin!.plannedLoads && !isComplete(thin!));
  assert.ok(isComplete(gridTable(spec, known, null).rows[0]!.cells[0]!));
});

test("the interval of a geometric mean is computed from the geometric mean of each resample, and is null if one speedup has too few blocks", () => {
  const ramp = Float64Array.from({ length: 1001 }, (_, draw) => Math.exp((draw - 500) / 1e6));
  const falling = ramp.map((value) => 1 / value);
  const mixed = speedups([1, 1, 1, 1, 1, 1, 1, 1], 10, ramp).map((speedup, i) =>
    i === 1 ? { ...speedup, estimate: exactly({ value: 1, resampled: falling, blocks: 5 }) } : speedup,
  );
  const [opposed, equal] = gridTable(spec, mixed, null).rows[0]!.cells.map(({ ours }) => ours!.interval!);
  const near = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-9, `${value}`);
  near(opposed!.high - opposed!.low, 0); // opposite changes cancel out in each resample
  const alone = interval95(exactly({ value: 1, resampled: ramp, blocks: 5 }), "logarithm")!;
  near(equal!.low, alone.low);
  near(equal!.high, alone.high);
  const thin = mixed.map((speedup, i) =>
    i === 0 ? { ...speedup, estimate: { ...speedup.estimate!, blocks: 4 } } : speedup,
  );
  assert.equal(gridTable(spec, thin, null).rows[0]!.cells[0]?.ours?.interval, null);
});

test("the geometric mean of 2 and 1/2 is 1", () => {
  const { mean, geometricMean } = gridTable(
    spec,
    speedups([2, 0.5, 2, 0.5, 2, 0.5, 2, 0.5], 10),
    null,
  ).rows[0]!.cells.at(-1)!.ours!;
  assert.deepEqual([mean, Math.round(geometricMean! * 1e9) / 1e9], [1.25, 1]);
});

test("a published cell is attached to the cell of ours that has the same row key and the same column key", () => {
  const cells = { A: { 2: { max: 9, mean: null, min: 7 } }, average: { average: { max: 1, mean: 1, min: 1 } } };
  const published = { source: "s", document: "s", summaries: {}, tables: { 5: cells } };
  const { rows } = gridTable(spec, known, published);
  assert.deepEqual(rows[1]!.cells[1]!.published, { max: 9, mean: null, min: 7 });
  assert.deepEqual(rows[2]!.cells[2]!.published, { max: 1, mean: 1, min: 1 });
  assert.equal(rows[0]!.cells[0]!.published, null);
});
