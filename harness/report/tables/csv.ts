/** Prints the tables and the speedups as CSV, in full precision; a missing number is an empty field. */
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
import type { SummaryTable } from "./summary.ts";
import { summaryLines } from "./summary-lines.ts";

type Field = string | number | null;

const tableColumns = [
  ..."clock table comparison row column statistic ours low95 high95 condition published publishedCondition".split(" "),
  ..."scenarios plannedScenarios loads plannedLoads flaggedLoads".split(" "),
];
type TableLine = Record<string, Field | undefined>;

/** One line for each statistic of a cell or summary; geometric means also have low95 and high95. */
export function renderCsv({ tables, clock }: Pick<TablesReport, "tables" | "clock">): string {
  const lines = tables.flatMap((table) => {
    if (table.kind === "medians") return medianLines(table);
    if (table.kind === "differences") return differenceLines(table);
    return table.kind === "grid" ? gridLines(table) : linesOfSummary(table);
  });
  return stringify(
    lines.map((line) => ({ ...line, clock })),
    { header: true, columns: tableColumns },
  );
}

const bounds = (interval?: Interval | null) => ({ low95: interval?.low ?? null, high95: interval?.high ?? null });

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

const linesOfSummary = ({ id, comparisons }: SummaryTable): TableLine[] =>
  comparisons.flatMap((column) =>
    summaryLines("").map(({ statistic, ours, published }) => {
      const [own, theirs] = [ours(column), column.published && published(column.published)];
      return {
        ...{ table: id, comparison: column.comparison, statistic },
        ...{ ours: own.value, condition: own.condition, ...bounds(own.interval) },
        ...{ published: theirs?.value, publishedCondition: theirs?.condition },
        ...basis(own.basis ?? column),
      };
    }),
  );

const scenarioFields = allAxes.flatMap(({ field }) => field ?? []);

/** One line for each comparison and scenario. A scenario's field that the comparison changes is empty. */
export function renderSpeedupsCsv({ speedups, clock }: Pick<TablesReport, "speedups" | "clock">): string {
  const numbers = "speedup low95 high95 baselineMedianMs optionMedianMs baselineLoads optionLoads flaggedLoads";
  const columns = ["clock", "comparison", ...scenarioFields, ...numbers.split(" ")];
  const lines = speedups.map(({ scenario, interval, ...speedup }: Speedup) => ({
    clock,
    ...fieldsOf(scenario),
    ...speedup,
    ...bounds(interval),
  }));
  return stringify(lines, { header: true, columns });
}
