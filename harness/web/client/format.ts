/** Numbers and names as the report writes them. */

import { geometricMean } from "../../statistics/averages.ts";
import type { Bound } from "../../statistics/estimate.ts";
import { median as middleOf } from "../../statistics/quantile.ts";
import { boundMark } from "../../tables/format.ts";
import type { VariedAxis } from "../data/asked.ts";
import type { Ends, SpeedupView } from "../data/comparison-views.ts";
import type { ConditionView, RunView } from "../data/run-view.ts";

export const marked = (speedup: number, bound: Bound | null): string => boundMark(bound) + speedup.toFixed(2);
export const times = (speedup: number, bound: Bound | null = null): string => `${marked(speedup, bound)}×`;
/** Prints an interval. An end is open if too many loads never ended. */
export const range = ({ low, high }: Ends): string =>
  high === null || high === Infinity
    ? marked(low, "at least")
    : low === 0
      ? marked(high, "at most")
      : `${low.toFixed(2)}–${high.toFixed(2)}`;
/** A value that rounds to zero has no sign. */
export const whole = (value: number): string => (Math.round(value) || 0).toLocaleString("en").replace("-", "−");
export const milliseconds = (ms: number | null): string =>
  ms === null ? "–" : ms === Infinity ? "never ended" : `${whole(ms)} ms`;

/** Prints a number with about three significant digits. */
export const figure = (value: number | null | undefined): string => {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value) || Math.abs(value) >= 100) return whole(value);
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
};

export const labelOf = ({ values }: VariedAxis, value: unknown): string =>
  values.find((one) => one.value === value)?.label ?? String(value);

/** Names a condition by its values on the axes that vary in the run. */
export const conditionName = ({ axes }: RunView, { values, id }: ConditionView): string =>
  axes.length ? axes.map((axis) => labelOf(axis, values[axis.name])).join(", ") : id;

export const median = (values: readonly number[]): number | null => (values.length ? middleOf([...values]) : null);
/** Returns the geometric mean of speedups; null without speedups, or if too many loads never ended. */
export function average(speedups: readonly Pick<SpeedupView, "speedup" | "bound" | "unknown">[]) {
  const known = speedups.flatMap(({ speedup }) => speedup ?? []);
  const bounds = [...new Set(speedups.flatMap(({ bound }) => bound ?? []))];
  if (known.length === 0 || bounds.length > 1 || speedups.some(({ unknown }) => unknown)) return null;
  return { value: geometricMean(known), bound: bounds[0] ?? null };
}
