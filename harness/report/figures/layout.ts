/** Where a number stands in a figure: its panel, its series, and its place on the x axis. */
import { type AnyAxis, labelOf, textOf } from "../../../axes/axis.ts";
import { axisNamed } from "../../../axes/registry.ts";
import type { AxisValue, Values } from "../../../schema/plan.ts";
import type { Comparisons } from "../../plan/comparisons.ts";
import { type FigureSpec, layoutOf } from "../../plan/figures.ts";
import type { FigureAxis } from "./figure.ts";
import type { Measured } from "./measure.ts";

export interface Place {
  panel: string;
  series: string;
  x: AxisValue;
}

export const placeKey = ({ panel, series, x }: Place): string => JSON.stringify([panel, series, x]);

/** Of the numbers of a figure. @param shown the comparisons that it shows */
export function placing(spec: FigureSpec, shown: Comparisons): (one: Pick<Measured, "values" | "comparison">) => Place {
  const laidOut = layoutOf(spec);
  const options = Object.values(shown).map(({ option }) => JSON.stringify(laidOut.map((name) => option[name] ?? null)));
  // Comparisons that differ in what is laid out need no names.
  const named = new Set(options).size < options.length;
  const label = (name: string | undefined, values: Values) =>
    name === undefined ? [] : [nameOf(axisNamed(name, "figure"), values[name]!)];
  return ({ values, comparison: id }) => ({
    panel: label(spec.panels, values).join(),
    series: [...(named && id !== null ? [shown[id]!.title] : []), ...label(spec.series, values)].join(", "),
    x: values[spec.x]!,
  });
}

/** Values that say of themselves what they are, as "Page A" does, need no axis's name beside them. */
const nameOf = (axis: AnyAxis, value: AxisValue): string =>
  axis.label ? axis.label(value) : `${axis.name} ${spaced(textOf(axis, value))}`;

/** Ticks stand where points are, and say what the axis calls its values. */
export function xAxisOf({ x, logarithmic }: FigureSpec, values: readonly AxisValue[]): FigureAxis {
  const axis = axisNamed(x, "figure");
  const distinct = [...new Set(values)];
  const numbers = distinct.filter((value) => typeof value === "number").sort((a, b) => a - b);
  const isNumber = numbers.length === distinct.length;
  const labels = (isNumber ? numbers : distinct).map((value) =>
    spaced(isNumber ? textOf(axis, value) : labelOf(axis, value)),
  );
  // A unit that all have stands once.
  const units = new Set(labels.map((label) => /^[\d.]+ (\D+)$/.exec(label)?.[1]));
  const [unit] = isNumber && units.size === 1 ? units : [];
  const title = axis.title.replace(/ \(.*\)|;.*/g, "").replace(/^./, (first) => first.toUpperCase());
  return {
    title: unit ? `${title} (${unit})` : title,
    kind: isNumber ? "number" : "name",
    // Nothing, such as no loss, has no place on a logarithmic axis.
    scale: logarithmic && isNumber && (numbers[0] ?? 0) > 0 ? "log" : "linear",
    ticks: (isNumber ? numbers : distinct).map((value, i) => ({
      value,
      label: unit ? labels[i]!.split(" ")[0]! : labels[i]!,
    })),
  };
}

/** "100ms" as "100 ms". */
const spaced = (text: string) => text.replace(/^(\d+(?:\.\d+)?)([A-Za-z%]+(?:\/s)?)$/, "$1 $2");
