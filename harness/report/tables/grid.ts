/** Tables of cells (the paper's Tables 5 to 10): rows x columns, with an average row and an average column. */
import { labelOf } from "../../../axes/axis.ts";
import { axisNamed } from "../../../axes/registry.ts";
import type { AxisValue } from "../../../schema/plan.ts";
import type { Filter, GridSpec } from "../../plan/comparisons.ts";
import { type Published, type PublishedCell, publishedCell } from "../../plan/published.ts";
import type { ResampledGain } from "./gains.ts";
import { passes, type Setting, sameSettings } from "./setting.ts";
import { type Basis, basisOf, type CellStatistics, statisticsOf } from "./statistics.ts";

/** A row or column: its value in its axis as text, or "average". */
export interface Heading {
  key: string;
  label: string;
}

export interface Cell extends Basis {
  row: string;
  column: string;
  /** Null without data. */
  ours: CellStatistics | null;
  /** Null where nothing was published, nothing that can be read, or the cell has not the settings that the published one has. */
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

/** A heading, and which settings stand under it. */
export interface Line extends Heading {
  holds(setting: Setting): boolean;
}

/**
 * Lays out the gains of one case. Averages are over all settings of the row or column, as the paper's are.
 * @param gains of the table's case; their order gives the order of rows and columns
 * @param whole the settings of the whole experiment: a published cell stands only beside one that has the same
 */
export function gridTable(
  spec: GridSpec,
  gains: readonly ResampledGain[],
  published: Published | null,
  whole: readonly Setting[] = gains.map(({ setting }) => setting),
): GridTable {
  const where = spec.where ?? {};
  const shown = gains.filter(({ setting }) => passes(setting, where));
  const [rows, columns] = [linesOf(shown, spec.rows), linesOf(shown, spec.columns)];
  const { id, title, comparison: caseId } = spec;
  const cellOf = (row: Line, column: Line): Cell => {
    const inCell = (setting: Setting) => passes(setting, where) && row.holds(setting) && column.holds(setting);
    const inside = shown.filter(({ setting }) => inCell(setting));
    const same = sameSettings(
      inside.map(({ setting }) => setting),
      whole.filter(inCell),
    );
    return {
      row: row.key,
      column: column.key,
      ours: statisticsOf(inside),
      ...basisOf(inside),
      published: same ? publishedCell(published, id, row.key, column.key) : null,
    };
  };
  return {
    kind: "grid",
    id,
    title,
    case: caseId,
    where,
    columns: columns.map(({ key, label }) => ({ key, label })),
    rows: rows.map((row) => ({ key: row.key, label: row.label, cells: columns.map((column) => cellOf(row, column)) })),
  };
}

/** The values of an axis in the order in which they occur, then the average over all. */
export function linesOf(gains: readonly { setting: Setting }[], name: string): Line[] {
  const axis = axisNamed(name, "table");
  const values = [...new Set(gains.flatMap(({ setting }): AxisValue[] => (name in setting ? [setting[name]!] : [])))];
  return [
    ...values.map((value) => ({
      key: String(value),
      label: labelOf(axis, value),
      holds: (setting: Setting) => setting[name] === value,
    })),
    { key: averageKey, label: averageKey, holds: () => true },
  ];
}
