import { labelOf, textOf } from "../../axes/axis.ts";
import { axisNamed } from "../../axes/registry.ts";
import type { AxisValue } from "../../schema/plan.ts";
import type { FigureSpec } from "../plan/figures.ts";
import type { FigureAxis } from "./figure.ts";

export function xAxisOf({ x, logarithmic }: FigureSpec, values: readonly AxisValue[]): FigureAxis {
  const axis = axisNamed(x, "figure");
  const distinct = [...new Set(values)];
  const numbers = distinct.filter((value) => typeof value === "number").sort((a, b) => a - b);
  const isNumber = numbers.length === distinct.length;
  const labels = (isNumber ? numbers : distinct).map((value) =>
    spaced(isNumber ? textOf(axis, value) : labelOf(axis, value)),
  );
  // A unit that all values share is printed once.
  const units = new Set(labels.map((label) => /^[\d.]+ (\D+)$/.exec(label)?.[1]));
  const [unit] = isNumber && units.size === 1 ? units : [];
  const title = axis.title.replace(/ \(.*\)|;.*/g, "").replace(/^./, (first) => first.toUpperCase());
  return {
    title: unit ? `${title} (${unit})` : title,
    kind: isNumber ? "number" : "name",
    // A logarithmic axis has no place for zero, such as a loss of 0%.
    scale: logarithmic && isNumber && (numbers[0] ?? 0) > 0 ? "log" : "linear",
    ticks: (isNumber ? numbers : distinct).map((value, i) => ({
      value,
      label: unit ? labels[i]!.split(" ")[0]! : labels[i]!,
    })),
  };
}

/** Writes "100ms" as "100 ms". */
export const spaced = (text: string) => text.replace(/^(\d+(?:\.\d+)?)([A-Za-z%]+(?:\/s)?)$/, "$1 $2");
