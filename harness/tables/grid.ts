/** Tables of cells (the paper's Tables 5 to 10): rows x columns, with an average row and an average column. */
import { labelOf } from "../../axes/axis.ts";
import { axisNamed } from "../../axes/registry.ts";
import type { AxisValue } from "../../schema/plan.ts";
import type { GridSpec } from "../plan/comparisons.ts";
import { type Published, publishedCell } from "../plan/published.ts";
import { passes, type Scenario, sameScenarios } from "./scenario.ts";
import type { ResampledSpeedup } from "./speedups.ts";
import { basisOf, statisticsOf } from "./statistics.ts";

export type GridTable = ReturnType<typeof gridTable>;
export type Cell = GridTable["rows"][number]["cells"][number];

export const averageKey = "average";

/** A row or column: its value as text, or "average", and the scenarios that belong to it. */
interface Line {
  key: string;
  label: string;
  holds(scenario: Scenario): boolean;
}

/**
 * Averages are over all scenarios of the row or column, as in the paper. @param speedups their order gives the order of rows and columns
 * @param whole the experiment's scenarios; a cell has its published value only if its scenarios in the run are those in the experiment
 */
export function gridTable(
  spec: GridSpec,
  speedups: readonly ResampledSpeedup[],
  published: Published | null,
  whole: readonly Scenario[] = speedups.map(({ scenario }) => scenario),
) {
  const { id, title, comparison, where = {} } = spec;
  const { columns, rows } = laidOut(spec, speedups, whole);
  const cellOf = ({ row, column, inside, isWhole }: (typeof rows)[number]["cells"][number]) => ({
    row: row.key,
    column: column.key,
    /** null if no scenario has loads of both sides. */
    ours: statisticsOf(inside),
    ...basisOf(inside),
    /** null if there is no legible published value, or if the published cell has other scenarios. */
    published: isWhole ? publishedCell(published, id, row.key, column.key) : null,
  });
  return {
    ...{ kind: "grid" as const, id, title, comparison, where },
    columns: columns.map(({ key, label }) => ({ key, label })),
    rows: rows.map(({ key, label, cells }) => ({ key, label, cells: cells.map(cellOf) })),
  };
}

/** Returns a table's cells with their speedups. `isWhole`: the cell has the same scenarios in the run as in the experiment. */
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

/** Returns a line for each value of an axis, in the order in which the values occur, and a line for the average over all values. */
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
