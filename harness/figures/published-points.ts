/** The published points of a figure: the means in the cells of a published table. */
import type { GridSpec } from "../plan/comparisons.ts";
import { type Published, publishedCell } from "../plan/published.ts";
import type { FigurePoint } from "./figure.ts";
import type { Group, Place } from "./groups.ts";

/** @param isWhole tells whether our number at a place is computed from all scenarios of the published number */
export function publishedPoints(
  table: GridSpec | null,
  published: Published | null,
  groups: readonly Group[],
  isWhole: (place: Place) => boolean,
): FigurePoint[] {
  return groups
    .filter(({ place }) => isWhole(place))
    .flatMap((group) => {
      const cell = table && publishedCell(published, table.id, keyOf(table.rows, group), keyOf(table.columns, group));
      const y = cell?.mean;
      return y == null ? [] : [{ source: "published", model: "", ...group.place, y, low: null, high: null } as const];
    });
}

const axisValue = (name: string, { all }: Group) => all[0]!.values[name]!;
const keyOf = (name: string, group: Group) => String(axisValue(name, group));
