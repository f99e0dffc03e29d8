/** The published points beside ours: of a figure, or the means of a table's cells. */
import { labelOf, textOf } from "../../../axes/axis.ts";
import { axisNamed } from "../../../axes/registry.ts";
import type { GridSpec } from "../../plan/comparisons.ts";
import type { FigureSpec } from "../../plan/figures.ts";
import { type Published, publishedCell } from "../tables/published.ts";
import type { FigurePoint } from "./figure.ts";
import type { Group } from "./groups.ts";
import type { Place } from "./layout.ts";

/** @param isWhole whether a place has all settings that the published number there is of */
export function publishedPoints(
  spec: FigureSpec,
  table: GridSpec | null,
  published: Published | null,
  groups: readonly Group[],
  isWhole: (place: Place) => boolean,
): FigurePoint[] {
  const named = published?.figures?.[spec.id] ?? [];
  const same = (name: string | undefined, one: Group, value: string | number | undefined) =>
    name === undefined || value === undefined || namesOf(name, one).includes(String(value));
  return groups
    .filter(({ place }) => isWhole(place))
    .flatMap((group) => {
      const cell = table && publishedCell(published, table.id, keyOf(table.rows, group), keyOf(table.columns, group));
      const point = named.find(
        ({ x, series, panel }) =>
          same(spec.x, group, x) && same(spec.series, group, series) && same(spec.panels, group, panel),
      );
      const y = cell?.mean ?? point?.y;
      return y == null ? [] : [{ source: "published", model: "", ...group.place, y, low: null, high: null } as const];
    });
}

const axisValue = (name: string, { all }: Group) => all[0]!.values[name]!;
const keyOf = (name: string, group: Group) => String(axisValue(name, group));

/** A value as tables, command lines and files write it. */
function namesOf(name: string, group: Group): string[] {
  const [axis, value] = [axisNamed(name, "figure"), axisValue(name, group)];
  return [String(value), textOf(axis, value), labelOf(axis, value)];
}
