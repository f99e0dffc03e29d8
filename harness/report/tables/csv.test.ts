import assert from "node:assert/strict";
import { test } from "node:test";
import { renderCsv, renderSpeedupsCsv } from "./csv.ts";
import { renderJson } from "./json.ts";
import { buildTables } from "./report.ts";
import { conditions, paperExperiment, paperPublished, run } from "./synthetic-loads.ts";

const planned = conditions(paperExperiment.axes);
const loads = run(planned, 5, ({ protocol, page }) => (protocol === "h1" ? 1000 : page === "C" ? 3000 : 500));
const report = buildTables(loads, paperExperiment, paperPublished, { clock: "virtual", conditions: planned });

/** Lines by column name. No field of these has a comma but a condition, which is quoted. */
function table(csv: string): Record<string, string>[] {
  const fields = (line: string) => [...line.matchAll(/("[^"]*"|[^,]*)(?:,|$)/g)].map(([, field]) => field!);
  const rows = csv.trimEnd().split("\n").map(fields);
  return rows.slice(1).map((row) => Object.fromEntries(rows[0]!.map((name, i) => [name, row[i] ?? ""])));
}

test("cells: one line a statistic, full precision, published beside it, empty where unknown", () => {
  const lines = table(renderCsv(report));
  const one = (wanted: Record<string, string>) => {
    const found = lines.filter((line) => Object.entries(wanted).every(([name, value]) => line[name] === value));
    assert.equal(found.length, 1);
    return found[0]!;
  };
  assert.equal(lines.length, 3 * 16 * 4 + 9 * 9 * 4 + 3 * 8);
  const worst = one({ table: "5", row: "C", column: "1", statistic: "min" });
  assert.deepEqual(
    [
      worst.clock,
      worst.comparison,
      worst.ours,
      worst.low95,
      worst.published,
      worst.scenarios,
      worst.loads,
      worst.plannedLoads,
    ],
    ["virtual", "1", "0.3333333333333333", "", "0.3", "8", "80", "320"],
  );
  assert.equal(one({ table: "5", row: "A", column: "1", statistic: "min" }).published, "");
  const { low95, published } = one({ table: "5", row: "A", column: "1", statistic: "geometricMean" });
  assert.deepEqual([Number(low95).toFixed(6), published], ["2.000000", ""], "the interval is the geometric mean's");
  const best = one({ table: "11", comparison: "1", statistic: "worst" });
  assert.deepEqual([best.condition, best.publishedCondition], ['"(C,x,x,x,x)"', '"(C,1,x,x,1)"']);
});

test("speedups: one line a comparison and scenario, with what they were made of", () => {
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

test("JSON has everything, and no resamples", () => {
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
    "directionDifferences",
  ]);
  assert.ok(!("resampled" in json.speedups[0]!));
});
