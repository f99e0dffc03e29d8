/** Tests the whole way from loads to tables, with the paper's 288 conditions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Values } from "../../schema/plan.ts";
import type { CountedLoad } from "./counted.ts";
import type { GridTable } from "./grid.ts";
import { renderJson } from "./json.ts";
import { renderMarkdown } from "./markdown.ts";
import { buildTables } from "./report.ts";
import type { SummaryTable } from "./summary.ts";
import { conditions, failedLoad, okLoad, paperExperiment, paperPublished, run } from "./synthetic-loads.fixture.ts";

const planned = conditions(paperExperiment.axes);

/** SPDY's speedup is 2 for page A, 1 for B and 0.5 for C. The larger initcwnd has a speedup of 1.1 without loss, and of 1 with loss. */
function knownSpeedup({ page, protocol, initcwnd, lossPercent }: Values): number {
  const spdy = protocol === "h1" ? 1 : ({ A: 2, B: 1, C: 0.5 }[String(page)] ?? 1);
  return spdy * (initcwnd === 10 && lossPercent === 0 ? 1.1 : 1);
}
/** Both sides share a block's drift, so the drift must not change a speedup. */
const pageLoadMs = (condition: Values, block = 1) =>
  ((1000 + Number(condition.rttMs)) * (1 + block / 10)) / knownSpeedup(condition);
const build = (loads: CountedLoad[]) =>
  buildTables(loads, paperExperiment, paperPublished, { clock: "real", conditions: planned });
const grid = (report: ReturnType<typeof build>, id: string) =>
  report.tables.find((table) => table.id === id) as GridTable;
const close = (ours: number | null | undefined, expected: number) =>
  assert.ok(ours != null && Math.abs(ours - expected) < 1e-9, `${ours} is not ${expected}`);

test("the speedups of made-up loads appear in the tables of every comparison", () => {
  const report = build(run(planned, 5, pageLoadMs));
  assert.equal(planned.length, 288);
  assert.equal(report.speedups.length, 3 * 72);
  const row = (id: string, key: string) =>
    grid(report, id)
      .rows.find((line) => line.key === key)!
      .cells.map(({ ours }) => ours!.mean);
  for (const mean of row("5", "A")) close(mean, 2);
  for (const mean of row("5", "average")) close(mean, 3.5 / 3);
  for (const mean of row("8a", "20/2")) close(mean, 1.1);
  for (const mean of row("8b", "20/2")) close(mean, 1);
  for (const mean of row("8c", "10/1")) close(mean, 1.05);
  const corner = grid(report, "9").rows.at(-1)!.cells.at(-1)!;
  close(corner.ours!.max, 2.2);
  close(corner.ours!.min, 0.5);
  close(corner.ours!.interval!.high - corner.ours!.interval!.low, 0);
  assert.deepEqual([corner.plannedScenarios, corner.loads, corner.plannedLoads], [72, 72 * 2 * 5, 72 * 2 * 20]);
});

test("Table 11 counts scenarios, names the scenarios of the best and worst speedup, and averages speedups", () => {
  const report = build(run(planned, 2, pageLoadMs));
  const [spdy, window, both] = (report.tables.at(-1) as SummaryTable).comparisons;
  assert.deepEqual([spdy?.best?.condition, spdy?.worst?.condition], ["(A,x,x,x,x)", "(C,x,x,x,x)"]);
  assert.deepEqual(
    [spdy?.atLeast1, spdy?.atLeast2],
    [
      { count: 48, of: 72, undecided: 0 },
      { count: 24, of: 72, undecided: 0 },
    ],
  );
  assert.equal(window?.best?.condition, "(x,x,x,x,0)");
  assert.equal(both?.best?.condition, "(A,x,x,x,0)");
  close(spdy?.subsetAverage, 1.5);
  close(both?.subsetAverage, 1.65);
  assert.equal(both?.subsetBasis.plannedScenarios, 24);
  assert.deepEqual(both?.published?.atLeast2, { count: 14, of: 72 });
});

test("after half a block, cells of scenarios with loads of both sides have a speedup, other cells are empty, and averages count missing scenarios", () => {
  const report = build(run(planned.slice(0, 144), 1, pageLoadMs));
  const table = grid(report, "5");
  assert.deepEqual(
    table.rows.map(({ key }) => key),
    ["A", "B", "C", "average"],
    "rows without a load are in the table",
  );
  const cell = (row: number, column: number) => table.rows[row]!.cells[column]!;
  close(cell(0, 0).ours?.mean, 2);
  assert.equal(cell(0, 0).ours?.interval, null);
  assert.equal(cell(2, 0).ours, null);
  assert.deepEqual([cell(3, 3).scenarios, cell(3, 3).plannedScenarios], [36, 72]);
  assert.deepEqual(report.counts, {
    blocks: 1,
    loads: 144,
    unfinished: 0,
    censored: 0,
    plannedLoads: 5760,
    failed: 0,
    unmeasured: 0,
    repeated: 0,
    unplanned: 0,
    flagged: 0,
  });
});

test("without loads, tables are empty; without planned conditions, there are no tables", () => {
  assert.equal(grid(build([]), "5").rows[0]!.cells[0]!.ours, null);
  const bare = buildTables([], paperExperiment, null, { clock: "real", conditions: [] });
  assert.deepEqual(bare.tables, []);
  assert.deepEqual(bare.leftOut, [
    "Comparisons left out, because this run lacks the conditions of one side or of both: 1 (SPDY), 2 (initcwnd), 3 (SPDY+initcwnd).",
  ]);
});

test("a published cell is printed only next to a cell with the same scenarios", () => {
  const some = conditions({ ...paperExperiment.axes, servers: [1] });
  const loads = run(some, 2, pageLoadMs);
  const part = buildTables(loads, paperExperiment, paperPublished, { clock: "real", conditions: some, whole: planned });
  const [cell, average] = grid(part, "5").rows[0]!.cells;
  assert.ok(cell?.published, "Page A, 1 server: the same eight links");
  assert.equal(average?.published, null, "an average over servers that the run leaves out");
  assert.equal((part.tables.at(-1) as SummaryTable).comparisons[0]?.published, null);
});

test("if a run has no conditions of a comparison's option, the comparison is left out with its tables, and the report says so", () => {
  const some = conditions({ ...paperExperiment.axes, initcwnd: [3] });
  const part = buildTables([], paperExperiment, paperPublished, { clock: "real", conditions: some, whole: planned });
  assert.deepEqual(
    part.tables.map(({ id }) => id),
    ["5", "6a", "6b", "6c", "11"],
  );
  assert.deepEqual(part.leftOut, [
    "Comparisons left out, because this run lacks the conditions of one side or of both: 2 (initcwnd), 3 (SPDY+initcwnd).",
  ]);
  assert.match(renderMarkdown(part), /^Comparisons left out, because /m);
});

test("in Markdown, a title from somebody else's run is plain text: in sentences and footnotes, too", () => {
  const title = "<img src=x onerror=alert(1)>";
  const titled = (id: string) => ({ ...paperExperiment.comparisons[id]!, title });
  const experiment = {
    ...paperExperiment,
    comparisons: { ...paperExperiment.comparisons, 1: titled("1"), 2: titled("2") },
  };
  const some = conditions({ ...paperExperiment.axes, initcwnd: [3] });
  const loads = run(some.slice(0, 100), 2, pageLoadMs);
  const report = buildTables(loads, experiment, null, { clock: "real", conditions: some });
  const text = renderMarkdown(report);
  assert.match(text, /^`Comparisons left out.*\\u003cimg/m);
  assert.match(text, /^† .*\\u003cimg/m);
  assert.doesNotMatch(text, /<img/);
});

test("the same loads in another order give the same report, to the byte", () => {
  const noise = (condition: Values, block: number) =>
    pageLoadMs(condition) * (1 + (((condition.protocol === "h1" ? 3 : 8) * block * block) % 13) / 50);
  const loads = run(planned, 5, noise);
  assert.equal(renderJson(build(loads)), renderJson(build(loads.toReversed())));
  const interval = grid(build(loads), "5").rows[0]!.cells[0]!.ours!.interval!;
  assert.ok(interval.low < interval.high, "with noise an interval has a width");
});

test("a retry replaces a failed attempt; without a retry, the speedup is computed from fewer loads", () => {
  const first = planned[0]!;
  const others = run(planned, 2, pageLoadMs).filter((load) => load.condition !== first.id);
  const retry = okLoad(first, pageLoadMs(first.fields, 1), { attempt: 2 });
  const retried = build([...others, failedLoad(first), retry, failedLoad(first, { block: 2 })]);
  const [speedup] = retried.speedups;
  assert.deepEqual([speedup?.baselineLoads, speedup?.optionLoads, speedup?.interval], [1, 2, null]);
  assert.deepEqual([retried.counts.failed, retried.counts.loads], [2, 575]);
});
