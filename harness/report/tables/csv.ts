/** The tables and the speedups as CSV, in full precision; an empty field is a number that is not there. */
import { stringify } from "csv-stringify/sync";
import { allAxes } from "../../../axes/registry.ts";
import type { Interval } from "../../statistics/resample.ts";
import type { DifferencesTable } from "./differences.ts";
import type { Cell, GridTable } from "./grid.ts";
import type { MediansTable } from "./medians.ts";
import type { TablesReport } from "./report.ts";
import { fieldsOf } from "./scenario.ts";
import type { Speedup } from "./speedups.ts";
import type { Basis } from "./statistics.ts";
import type { ComparisonSummary, SummaryTable } from "./summary.ts";

type Field = string | number | null;

const tableColumns = [
  "clock",
  "table",
  "comparison",
  "row",
  "column",
  "statistic",
  "ours",
  "low95",
  "high95",
  "condition",
  "published",
  "publishedCondition",
  "scenarios",
  "plannedScenarios",
  "loads",
  "plannedLoads",
  "flaggedLoads",
] as const;
type TableLine = { [column in (typeof tableColumns)[number]]?: Field };

/** One line for each statistic of a cell or summary; low95 and high95 stand beside geometric means. */
export function renderCsv({ tables, clock }: Pick<TablesReport, "tables" | "clock">): string {
  const lines = tables.flatMap((table) => {
    if (table.kind === "medians") return medianLines(table);
    if (table.kind === "differences") return differenceLines(table);
    return table.kind === "grid" ? gridLines(table) : summaryLines(table);
  });
  return stringify(
    lines.map((line) => ({ ...line, clock })),
    { header: true, columns: [...tableColumns] },
  );
}

const bounds = (interval: Interval | null) => ({ low95: interval?.low ?? null, high95: interval?.high ?? null });

const basis = ({ scenarios, plannedScenarios, loads, plannedLoads, flaggedLoads }: Basis) => ({
  scenarios,
  plannedScenarios,
  loads,
  plannedLoads,
  flaggedLoads,
});

function gridLines({ id, comparison: comparisonId, rows }: GridTable): TableLine[] {
  return rows.flatMap(({ cells }) =>
    cells.flatMap((cell: Cell) =>
      (["max", "mean", "min", "geometricMean"] as const).map((statistic) => ({
        table: id,
        comparison: comparisonId,
        row: cell.row,
        column: cell.column,
        statistic,
        ours: cell.ours?.[statistic] ?? null,
        ...bounds(statistic === "geometricMean" ? (cell.ours?.interval ?? null) : null),
        published: statistic === "geometricMean" ? null : (cell.published?.[statistic] ?? null),
        ...basis(cell),
      })),
    ),
  );
}

function medianLines({ id, baseline, rows }: MediansTable): TableLine[] {
  return rows.flatMap(({ labels, baselineMedianMs, cells }) => {
    const line = { table: id, row: labels.join(", ") };
    return cells.flatMap((cell) => [
      { ...line, comparison: cell.comparison, column: baseline, statistic: "baselineMedianMs", ours: baselineMedianMs },
      { ...line, comparison: cell.comparison, statistic: "medianMs", ours: cell.medianMs },
      {
        ...line,
        comparison: cell.comparison,
        statistic: "speedup",
        ours: cell.speedup,
        ...bounds(cell.interval),
        ...basis(cell),
      },
    ]);
  });
}

function differenceLines({ id, rows }: DifferencesTable): TableLine[] {
  return rows.flatMap(({ key, cells }) =>
    cells.flatMap((cell) =>
      (["baseline", "option", "betterPercent"] as const).map((statistic) => ({
        table: id,
        row: key,
        comparison: cell.comparison,
        statistic,
        ours: cell[statistic],
        ...bounds(statistic === "betterPercent" ? cell.interval : null),
        ...basis(cell),
      })),
    ),
  );
}

function summaryLines({ id, comparisons }: SummaryTable): TableLine[] {
  return comparisons.flatMap((column: ComparisonSummary) => {
    const { published } = column;
    const lines: TableLine[] = [
      {
        statistic: "best",
        ours: column.best?.speedup ?? null,
        condition: column.best?.condition ?? null,
        published: published?.best?.speedup ?? null,
        publishedCondition: published?.best?.condition ?? null,
      },
      {
        statistic: "average",
        ours: column.average,
        published: published?.average ?? null,
      },
      { statistic: "geometricMean", ours: column.geometricMean, ...bounds(column.interval) },
      {
        statistic: "worst",
        ours: column.worst?.speedup ?? null,
        condition: column.worst?.condition ?? null,
        published: published?.worst?.speedup ?? null,
        publishedCondition: published?.worst?.condition ?? null,
      },
      { statistic: "atLeast1", ours: column.atLeast1.count, published: published?.atLeast1?.count ?? null },
      { statistic: "atLeast2", ours: column.atLeast2.count, published: published?.atLeast2?.count ?? null },
      {
        statistic: "subsetAverage",
        ours: column.subsetAverage,
        published: published?.subsetAverage ?? null,
        ...basis(column.subsetBasis),
      },
      {
        statistic: "subsetGeometricMean",
        ours: column.subsetGeometricMean,
        ...bounds(column.subsetInterval),
        ...basis(column.subsetBasis),
      },
    ];
    return lines.map((line) => ({ table: id, comparison: column.comparison, ...basis(column), ...line }));
  });
}

const scenarioFields = allAxes.flatMap(({ field }) => field ?? []);

/** One line for each comparison and scenario. A scenario's field that the comparison changes is empty. */
export function renderSpeedupsCsv({ speedups, clock }: Pick<TablesReport, "speedups" | "clock">): string {
  const columns = [
    "clock",
    "comparison",
    ...scenarioFields,
    "speedup",
    "low95",
    "high95",
    "baselineMedianMs",
    "optionMedianMs",
    "baselineLoads",
    "optionLoads",
    "flaggedLoads",
  ];
  const lines = speedups.map(({ scenario, interval, ...speedup }: Speedup) => ({
    clock,
    ...fieldsOf(scenario),
    ...speedup,
    ...bounds(interval),
  }));
  return stringify(lines, { header: true, columns });
}
