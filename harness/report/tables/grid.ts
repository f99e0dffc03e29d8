/** Tables of cells (the paper's Tables 5 to 10): rows x columns, with an average row and an average column. */
import { type DimensionName, type DimensionValue, dimension, type Filter, passes } from "./dimensions.ts";
import type { ResampledGain } from "./gains.ts";
import { type Published, type PublishedCell, publishedCell } from "./published.ts";
import type { GridSpec } from "./spec.ts";
import { type Basis, basisOf, type CellStatistics, statisticsOf } from "./statistics.ts";

/** A row or column: its value in its dimension as text, or "average". */
export interface Heading {
  key: string;
  label: string;
}

export interface Cell extends Basis {
  row: string;
  column: string;
  /** Null without data. */
  ours: CellStatistics | null;
  /** Null where nothing was published, or nothing that can be read. */
  published: PublishedCell | null;
}

export interface GridTable {
  kind: "grid";
  id: string;
  title: string;
  case: string;
  where: Filter;
  columns: Heading[];
  rows: (Heading & { cells: Cell[] })[];
}

export const averageKey = "average";

interface Line extends Heading {
  gains: ReadonlySet<ResampledGain>;
}

/**
 * Lays out the gains of one case. Averages are over all settings of the row or column, as the paper's are.
 * @param gains of the table's case; their order gives the order of rows and columns
 */
export function gridTable(spec: GridSpec, gains: readonly ResampledGain[], published: Published | null): GridTable {
  const where = spec.where ?? {};
  const shown = gains.filter(({ setting }) => passes(setting, where));
  const columns = linesOf(shown, spec.columns);
  const rows = linesOf(shown, spec.rows).map(({ key, label, gains: ofRow }) => ({
    key,
    label,
    cells: columns.map((column): Cell => {
      const inside = shown.filter((gain) => ofRow.has(gain) && column.gains.has(gain));
      return {
        row: key,
        column: column.key,
        ours: statisticsOf(inside),
        ...basisOf(inside),
        published: publishedCell(published, spec.id, key, column.key),
      };
    }),
  }));
  const { id, title, case: caseId } = spec;
  return {
    kind: "grid",
    id,
    title,
    case: caseId,
    where,
    columns: columns.map(({ key, label }) => ({ key, label })),
    rows,
  };
}

/** The values of a dimension in the order in which they occur, then the average over all. */
function linesOf(gains: readonly ResampledGain[], name: DimensionName): Line[] {
  const { of, label } = dimension(name);
  const byValue = new Map<DimensionValue, Set<ResampledGain>>();
  for (const gain of gains) {
    const value = of(gain.setting);
    if (value === undefined) continue;
    byValue.set(value, (byValue.get(value) ?? new Set()).add(gain));
  }
  const lines = [...byValue].map(([value, inside]) => ({ key: String(value), label: label(value), gains: inside }));
  return [...lines, { key: averageKey, label: averageKey, gains: new Set(gains) }];
}
