/** Tests tables with the statistics of a comparison's two sides, and the option's improvement in percent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition, Values } from "../../schema/plan.ts";
import type { Comparisons } from "../plan/comparisons.ts";
import { resampleBlocks } from "../statistics/resample.ts";
import type { Sample } from "./counted.ts";
import { differencesTable } from "./differences.ts";
import { differencesMarkdown } from "./differences-markdown.ts";

const sample = (values: Values, ...times: number[]): Sample => ({
  condition: { id: JSON.stringify(values), values } as unknown as Condition,
  byBlock: new Map(times.map((time, i) => [i + 1, time])),
  flagged: 0,
  planned: times.length,
});
const samples = [
  sample({ rtt: 20, initcwnd: 3 }, 100, 110, 120, 130, 140),
  sample({ rtt: 20, initcwnd: 10 }, 90, 99, 108, 117, 126),
  sample({ rtt: 100, initcwnd: 3 }, 400, 410, 420, 430, 440),
  sample({ rtt: 100, initcwnd: 10 }, 200, 205, 210, 215, 220),
];
const comparisons = { ten: { title: "initcwnd 10", option: { initcwnd: 10 } } };
const table = (spec: object, of = samples, from: Comparisons = comparisons) =>
  differencesTable(
    { id: "1", title: "t", differences: ["ten"], statistics: ["mean"], metric: "requestLatencyMs", ...spec } as never,
    { initcwnd: 3 },
    from,
    of,
    resampleBlocks([1, 2, 3, 4, 5]),
  );
const figures = ({ rows }: ReturnType<typeof table>) =>
  rows.map(({ key, cells: [cell] }) => [
    key,
    cell!.baseline,
    cell!.option,
    Math.round(cell!.betterPercent! * 100) / 100,
  ]);

test("if `rows` names an axis, a table has a row for each value of the axis, computed from the loads with this value", () => {
  const made = table({ rows: "rtt" });
  assert.deepEqual(figures(made), [
    ["20ms", 120, 108, 10],
    ["100ms", 420, 210, 50],
  ]);
  // In each block, the option takes 90% of the baseline's time, so every resample gives the same improvement.
  const { low, high } = made.rows[0]!.cells[0]!.interval!;
  assert.ok(Math.abs(low - 10) < 1e-9 && Math.abs(high - 10) < 1e-9);
  const text = differencesMarkdown(made);
  assert.match(text, /^Request latency\./);
  assert.match(text, /\| 100ms +\| +420 \| +210 \| +50\.0 \[50\.00 to 50\.00\] \|/);
});

test("the baseline has a single column if its numbers are the same for every comparison", () => {
  const two = { ...comparisons, twenty: { title: "initcwnd 20", option: { initcwnd: 20 } } };
  const more = [...samples, sample({ rtt: 20, initcwnd: 20 }, 80, 88, 96, 104, 112)];
  const linesOf = (of: Sample[]) =>
    differencesMarkdown(table({ rows: "rtt", differences: ["ten", "twenty"] }, of, two)).match(/^\|.*/gm)!;
  const both = [...more, sample({ rtt: 100, initcwnd: 20 }, 200, 200, 200, 200, 200)];
  assert.equal(linesOf(both)[0]!.match(/initcwnd 3, ms/g)!.length, 1);
  assert.match(
    linesOf(both)[2]!,
    /\| 20ms +\| +120 \| +108 \| +10\.0 \[10\.00 to 10\.00\] \| +96\.0 \| +20\.0 \[20\.00 to 20\.00\] \|/,
  );
  // At 100 ms there are no loads with initcwnd 20, so the baseline of this comparison is unknown there.
  assert.equal(linesOf(more)[0]!.match(/initcwnd 3, ms/g)!.length, 2);
});

test("a table has a row for each statistic, computed from all loads of a side together", () =>
  assert.deepEqual(figures(table({ statistics: ["mean", "median", "p90", "geometric mean"] })).slice(0, 3), [
    ["mean", 270, 159, 41.11],
    ["median", 270, 163, 39.63],
    ["p90", 431, 215.5, 50],
  ]));

test("for goodput, which is better when larger, a decrease of 10% is an improvement of -10%", () =>
  assert.deepEqual(figures(table({ metric: "goodputKBps", where: { rtt: [20] } })), [["mean", 120, 108, -10]]));

test("a scenario with loads of only one side is left out of the statistics, but counts as a planned scenario", () => {
  const [only] = table({}, [...samples.slice(0, 3), { ...samples[3]!, byBlock: new Map() }]).rows[0]!.cells;
  assert.deepEqual([only!.baseline, only!.option, only!.scenarios, only!.plannedScenarios], [120, 108, 1, 2]);
});

test("no improvement is computed from a baseline of zero", () => {
  const none = [sample({ rtt: 20, initcwnd: 3 }, 0, 0), sample({ rtt: 20, initcwnd: 10 }, 0, 1)];
  assert.equal(table({}, none).rows[0]!.cells[0]!.betterPercent, null);
});
