/** The tables and the gains as CSV, in full precision; an empty field is a number that is not there. */
import { stringify } from "csv-stringify/sync";
import { allAxes } from "../../../axes/registry.ts";
import type { Interval } from "../../statistics/resample.ts";
import type { DifferencesTable } from "./differences.ts";
import type { Gain } from "./gains.ts";
import type { Cell, GridTable } from "./grid.ts";
import type { MediansTable } from "./medians.ts";
import type { TablesReport } from "./report.ts";
import { fieldsOf } from "./setting.ts";
import type { Basis } from "./statistics.ts";
import type { CaseSummary, SummaryTable } from "./summary.ts";

type Field = string | number | null;

const tableColumns = [
  "clock",
  "table",
  "case",
  "row",
  "column",
  "statistic",
  "ours",
  "low95",
  "high95",
  "condition",
  "published",
  "publishedCondition",
  "settings",
  "plannedSettings",
  "loads",
  "plannedLoads",
  "flaggedLoads",
] as const;
type TableLine = { [column in (typeof tableColumns)[number]]?: Field };

/** One line a statistic of a cell or summary; low95 and high95 stand beside geometric means. */
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

const basis = ({ settings, plannedSettings, loads, plannedLoads, flaggedLoads }: Basis) => ({
  settings,
  plannedSettings,
  loads,
  plannedLoads,
  flaggedLoads,
});

function gridLines({ id, case: caseId, rows }: GridTable): TableLine[] {
  return rows.flatMap(({ cells }) =>
    cells.flatMap((cell: Cell) =>
      (["max", "mean", "min", "geometricMean"] as const).map((statistic) => ({
        table: id,
        case: caseId,
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

function medianLines({ id, base, rows }: MediansTable): TableLine[] {
  return rows.flatMap(({ labels, baseMedianMs, cells }) => {
    const line = { table: id, row: labels.join(", ") };
    return cells.flatMap((cell) => [
      { ...line, case: cell.case, column: base, statistic: "baseMedianMs", ours: baseMedianMs },
      { ...line, case: cell.case, statistic: "medianMs", ours: cell.medianMs },
      { ...line, case: cell.case, statistic: "gain", ours: cell.gain, ...bounds(cell.interval), ...basis(cell) },
    ]);
  });
}

function differenceLines({ id, rows }: DifferencesTable): TableLine[] {
  return rows.flatMap(({ key, cells }) =>
    cells.flatMap((cell) =>
      (["base", "option", "betterPercent"] as const).map((statistic) => ({
        table: id,
        row: key,
        case: cell.case,
        statistic,
        ours: cell[statistic],
        ...bounds(statistic === "betterPercent" ? cell.interval : null),
        ...basis(cell),
      })),
    ),
  );
}

function summaryLines({ id, cases }: SummaryTable): TableLine[] {
  return cases.flatMap((column: CaseSummary) => {
    const { published } = column;
    const lines: TableLine[] = [
      {
        statistic: "best",
        ours: column.best?.gain ?? null,
        condition: column.best?.condition ?? null,
        published: published?.best?.gain ?? null,
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
        ours: column.worst?.gain ?? null,
        condition: column.worst?.condition ?? null,
        published: published?.worst?.gain ?? null,
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
    return lines.map((line) => ({ table: id, case: column.case, ...basis(column), ...line }));
  });
}

const settingFields = allAxes.flatMap(({ field }) => field ?? []);

/** The raw material: one line a case and setting. A setting's field that the case changes is empty. */
export function renderGainsCsv({ gains, clock }: Pick<TablesReport, "gains" | "clock">): string {
  const columns = [
    "clock",
    "case",
    ...settingFields,
    "gain",
    "low95",
    "high95",
    "baseMedianMs",
    "optionMedianMs",
    "baseLoads",
    "optionLoads",
    "flaggedLoads",
  ];
  const lines = gains.map(({ setting, interval, ...gain }: Gain) => ({
    clock,
    ...fieldsOf(setting),
    ...gain,
    ...bounds(interval),
  }));
  return stringify(lines, { header: true, columns });
}
