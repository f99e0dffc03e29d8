/** Checks that the legible values of the paper's damaged text agree with each other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mean } from "simple-statistics";
import { type PublishedCell, publishedSchema } from "../plan/published.ts";
import { averageKey } from "./grid.ts";
import { paperExperiment, paperPublished } from "./synthetic-loads.fixture.ts";

const { tables, summaries } = paperPublished;
const nothing: PublishedCell = { max: null, mean: null, min: null };
const known = (values: (number | null)[]) => values.filter((value) => value !== null);

/** Checks a summary cell against the cells that it summarises; means may differ by rounding. */
function assertSumsUp(summary: PublishedCell | null, parts: (PublishedCell | null)[], where: string): void {
  const of = (statistic: keyof PublishedCell) => parts.map((part) => (part ?? nothing)[statistic]);
  const check = (statistic: "max" | "min", extreme: (...values: number[]) => number) => {
    const ours = (summary ?? nothing)[statistic];
    const values = known(of(statistic));
    if (ours === null || values.length === 0) return;
    const bound = extreme(...values);
    const whole = values.length === parts.length;
    assert.equal(
      whole ? bound : extreme(bound, ours),
      ours,
      `${where}: ${statistic} ${ours}, but its parts have ${values.join(" ")}`,
    );
  };
  check("max", Math.max);
  check("min", Math.min);
  const means = known(of("mean"));
  if (summary?.mean != null && means.length === parts.length)
    assert.ok(
      Math.abs(summary.mean - mean(means)) <= 0.1 + 1e-9,
      `${where}: mean ${summary.mean} of ${means.join(" ")}`,
    );
}

for (const [id, grid] of Object.entries(tables)) {
  test(`Table ${id}: averages agree with the cells of their row and column, and max >= mean >= min`, () => {
    const inner = (keys: string[]) => keys.filter((key) => key !== averageKey);
    const rows = Object.keys(grid);
    const columns = Object.keys(grid[averageKey]!);
    for (const row of rows) {
      assert.deepEqual(Object.keys(grid[row]!), columns);
      assertSumsUp(
        grid[row]![averageKey]!,
        inner(columns).map((column) => grid[row]![column]!),
        `row ${row}`,
      );
      for (const cell of Object.values(grid[row]!)) {
        const values = known(Object.values(cell ?? nothing));
        assert.deepEqual(
          values,
          values.toSorted((a, b) => b - a),
          `row ${row}`,
        );
      }
    }
    for (const column of columns)
      assertSumsUp(
        grid[averageKey]![column]!,
        inner(rows).map((row) => grid[row]![column]!),
        `column ${column}`,
      );
  });
}

for (const number of ["6", "8", "10"]) {
  test(`Table ${number}c (all packet loss rates) agrees with ${number}a (0%) and ${number}b (1%)`, () => {
    for (const [row, cells] of Object.entries(tables[`${number}c`]!))
      for (const [column, cell] of Object.entries(cells))
        assertSumsUp(
          cell,
          ["a", "b"].map((part) => tables[number + part]![row]![column]!),
          `${row}, ${column}`,
        );
  });
}

const perComparison = [
  ["1", "5", "6c"],
  ["2", "7", "8c"],
  ["3", "9", "10c"],
] as const;
for (const [comparisonId, website, channel] of perComparison) {
  test(`comparison ${comparisonId}: Tables ${website}, ${channel} and 11 agree on the overall speedup`, () => {
    const corner = tables[website]![averageKey]![averageKey]!;
    assert.deepEqual(tables[channel]![averageKey]![averageKey], corner);
    const { best, average, worst } = summaries["11"]![comparisonId]!;
    assert.deepEqual({ max: best?.speedup, mean: average, min: worst?.speedup }, corner);
  });
}

test("every table of the experiment has a published table with the same rows and columns", () => {
  const { axes } = paperExperiment;
  const keys: Record<string, string[]> = {
    page: axes.page!.map(String),
    servers: axes.servers!.map(String),
    rate: ["10/1", "20/2"],
    rtt: ["20", "100"],
  };
  for (const table of paperExperiment.tables) {
    if ("summary" in table) {
      assert.deepEqual(Object.keys(summaries[table.id]!), table.summary);
      continue;
    }
    assert.ok("columns" in table);
    const expected = (name: string) => [...keys[name]!, averageKey].sort();
    assert.deepEqual(Object.keys(tables[table.id]!).sort(), expected(table.rows));
    assert.deepEqual(Object.keys(tables[table.id]![averageKey]!).sort(), expected(table.columns));
  }
});

test("the schema refuses a cell that is not [max, mean, min]", () => {
  const parse = (cell: unknown) =>
    publishedSchema.safeParse({ source: "s", document: "s", tables: { 5: { A: { 1: cell } } }, summaries: {} }).success;
  assert.ok(parse([4.1, null, 1.1]) && parse(null));
  for (const wrong of [[4.1, 1.1], ["4.1", 2, 1], [0, 0, 0], 4.1]) assert.ok(!parse(wrong), JSON.stringify(wrong));
});
