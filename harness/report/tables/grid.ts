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
interface Line extends Heading {
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
  const { id, title, comparison, where = {} } = spec;
  const { columns, rows } = laidOut(spec, speedups, whole);
  const cellOf = ({ row, column, inside, isWhole }: (typeof rows)[number]["cells"][number]): Cell => ({
    row: row.key,
    column: column.key,
    ours: statisticsOf(inside),
    ...basisOf(inside),
    published: isWhole ? publishedCell(published, id, row.key, column.key) : null,
  });
  return {
    ...{ kind: "grid", id, title, comparison, where },
    columns: columns.map(({ key, label }) => ({ key, label })),
    rows: rows.map(({ key, label, cells }) => ({ key, label, cells: cells.map(cellOf) })),
  };
}

/** The cells of a table, with what stands in each, and whether these are all scenarios of the cell in the whole experiment. */
export function laidOut<Placed extends { scenario: Scenario }>(
  spec: GridSpec,
  all: readonly Placed[],
  whole: readonly Scenario[] = [],
) {
  const isShown = (scenario: Scenario) => passes(scenario, spec.where ?? {});
  const shown = all.filter(({ scenario }) => isShown(scenario));
  const [rows, columns] = [linesOf(shown, spec.rows), linesOf(shown, spec.columns)];
  const cellOf = (row: Line, column: Line) => {
    const isInside = (scenario: Scenario) => isShown(scenario) && row.holds(scenario) && column.holds(scenario);
    const inside = shown.filter(({ scenario }) => isInside(scenario));
    const scenarios = inside.map(({ scenario }) => scenario);
    return { row, column, inside, isWhole: sameScenarios(scenarios, whole.filter(isInside)) };
  };
  return { columns, rows: rows.map((row) => ({ ...row, cells: columns.map((column) => cellOf(row, column)) })) };
}

/** The values of an axis in the order in which they occur, then the average over all. */
function linesOf(speedups: readonly { scenario: Scenario }[], name: string): Line[] {
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
