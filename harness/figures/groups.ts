/** Groups the numbers of a figure by their place: panel, series and position on the x axis. */
import { type AnyAxis, textOf } from "../../axes/axis.ts";
import { axisNamed } from "../../axes/registry.ts";
import type { AxisValue, Values } from "../../schema/plan.ts";
import type { Comparisons } from "../plan/comparisons.ts";
import { type FigureSpec, layoutOf } from "../plan/figures.ts";
import type { Measured } from "./measure.ts";
import { spaced } from "./x-axis.ts";

export interface Place {
  panel: string;
  series: string;
  x: AxisValue;
}

export const placeKey = ({ panel, series, x }: Place): string => JSON.stringify([panel, series, x]);

/** Returns a function that finds a number's place in a figure. @param shown the comparisons that the figure shows */
export function placing(spec: FigureSpec, shown: Comparisons): (one: Pick<Measured, "values" | "comparison">) => Place {
  const laidOut = layoutOf(spec);
  const options = Object.values(shown).map(({ option }) => JSON.stringify(laidOut.map((name) => option[name] ?? null)));
  // Comparisons that differ in the axes of panel, series or x need no names.
  const named = new Set(options).size < options.length;
  const label = (name: string | undefined, values: Values) =>
    name === undefined ? [] : [nameOf(axisNamed(name, "figure"), values[name]!)];
  return ({ values, comparison: id }) => ({
    panel: label(spec.panels, values).join(),
    series: [...(named && id !== null ? [shown[id]!.title] : []), ...label(spec.series, values)].join(", "),
    x: values[spec.x]!,
  });
}

/** Labels such as "Page A" contain the axis's name already. */
const nameOf = (axis: AnyAxis, value: AxisValue): string =>
  axis.label ? axis.label(value) : `${axis.name} ${spaced(textOf(axis, value))}`;

export interface Group {
  place: Place;
  all: Measured[];
}

export function grouped(all: readonly Measured[], placeOf: (one: Measured) => Place): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const one of all) {
    const place = placeOf(one);
    const group = groups.get(placeKey(place)) ?? { place, all: [] };
    group.all.push(one);
    groups.set(placeKey(place), group);
  }
  return groups;
}

/** Whether two places have the numbers of the same scenarios. */
export const sameKeys = (some: readonly Measured[] = [], others: readonly Measured[] = []): boolean =>
  JSON.stringify(some.map(({ key }) => key).sort()) === JSON.stringify(others.map(({ key }) => key).sort());
