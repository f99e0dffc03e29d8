/** Tables of cells (the paper's Tables 5 to 10): rows x columns, with an average row and an average column. */
import { labelOf } from "../../../axes/axis.ts";
import { axisNamed } from "../../../axes/registry.ts";
import type { AxisValue } from "../../../schema/plan.ts";
import type { Filter, GridSpec } from "../../plan/comparisons.ts";
import { type Published, type PublishedCell, publishedCell } from "../../plan/published.ts";
import { passes, type Scenario, sameScenarios } from "./scenario.ts";
import type { ResampledSpeedup } from "./speedups.ts";
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
  /** Null where nothing was published, nothing that can be read, or the cell has not the scenarios that the published one has. */
  published: PublishedCell | null;
}

export interface GridTable {
  kind: "grid";
  id: string;
  title: string;
  comparison: string;
  where: Filter;
  columns: Heading[];
  rows: (Heading & { cells: Cell[] })[];
}

export const averageKey = "average";

/** A heading, and which scenarios stand under it. */
export interface Line extends Heading {
  holds(scenario: Scenario): boolean;
}

/**
 * Lays out the speedups of one comparison. Averages are over all scenarios of the row or column, as the paper's are.
 * @param speedups of the table's comparison; their order gives the order of rows and columns
 * @param whole the scenarios of the whole experiment: a published cell stands only beside one that has the same
 */
export function gridTable(
  spec: GridSpec,
  speedups: readonly ResampledSpeedup[],
  published: Published | null,
  whole: readonly Scenario[] = speedups.map(({ scenario }) => scenario),
): GridTable {
  const where = spec.where ?? {};
  const shown = speedups.filter(({ scenario }) => passes(scenario, where));
  const [rows, columns] = [linesOf(shown, spec.rows), linesOf(shown, spec.columns)];
  const { id, title, comparison: comparisonId } = spec;
  const cellOf = (row: Line, column: Line): Cell => {
    const inCell = (scenario: Scenario) => passes(scenario, where) && row.holds(scenario) && column.holds(scenario);
    const inside = shown.filter(({ scenario }) => inCell(scenario));
    const same = sameScenarios(
      inside.map(({ scenario }) => scenario),
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
    comparison: comparisonId,
    where,
    columns: columns.map(({ key, label }) => ({ key, label })),
    rows: rows.map((row) => ({ key: row.key, label: row.label, cells: columns.map((column) => cellOf(row, column)) })),
  };
}

/** The values of an axis in the order in which they occur, then the average over all. */
export function linesOf(speedups: readonly { scenario: Scenario }[], name: string): Line[] {
  const axis = axisNamed(name, "table");
  const values = [
    ...new Set(speedups.flatMap(({ scenario }): AxisValue[] => (name in scenario ? [scenario[name]!] : []))),
  ];
  return [
    ...values.map((value) => ({
      key: String(value),
      label: labelOf(axis, value),
      holds: (scenario: Scenario) => scenario[name] === value,
    })),
    { key: averageKey, label: averageKey, holds: () => true },
  ];
}
