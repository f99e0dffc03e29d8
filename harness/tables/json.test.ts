import assert from "node:assert/strict";
import { test } from "node:test";
import { renderJson } from "./json.ts";
import { buildTables } from "./report.ts";
import { renderSpeedupsCsv } from "./speedups-csv.ts";
import { conditions, paperExperiment, paperPublished, run } from "./synthetic-loads.fixture.ts";

const planned = conditions(paperExperiment.axes);
const loads = run(planned, 5, ({ protocol, page }) => (protocol === "h1" ? 1000 : page === "C" ? 3000 : 500));
const report = buildTables(loads, paperExperiment, paperPublished, { clock: "virtual", conditions: planned });

/** Parses CSV without commas in its fields. */
function table(csv: string): Record<string, string>[] {
  const rows = csv
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  return rows.slice(1).map((row) => Object.fromEntries(rows[0]!.map((name, i) => [name, row[i] ?? ""])));
}

test("the CSV of speedups has a line for each comparison and scenario, with the number of loads", () => {
  const lines = table(renderSpeedupsCsv(report));
  assert.equal(lines.length, 216);
  const [line] = lines;
  assert.deepEqual(
    [
      line?.comparison,
      line?.page,
      line?.rttMs,
      line?.protocol,
      line?.speedup,
      line?.low95,
      line?.baselineMedianMs,
      line?.optionLoads,
    ],
    ["1", "A", "20", "", "2", "2", "1000", "5"],
  );
});

test("the JSON has all parts of the report, but no resamples", () => {
  const json = JSON.parse(renderJson(report)) as typeof report & { directionDifferences: unknown[] };
  assert.deepEqual(json.speedups, report.speedups);
  assert.deepEqual(Object.keys(json), [
    "version",
    "title",
    "clock",
    "clients",
    "metric",
    "unit",
    "counts",
    "noIntervals",
    "digest",
    "publishedSource",
    "comparisons",
    "tables",
    "leftOut",
    "partial",
    "speedups",
    "conditions",
    "modes",
    "directionDifferences",
  ]);
  assert.ok(!("resampled" in json.speedups[0]!));
});
