/** Numbers and names as the report writes them. */
import { logAverage, median as middleOf } from "simple-statistics";
import type { Interval } from "../../statistics/resample.ts";
import type { VariedAxis } from "../data/asked.ts";
import type { ConditionView, RunView } from "../data/run-view.ts";

export const times = (speedup: number): string => `${speedup.toFixed(2)}×`;
export const range = ({ low, high }: Interval): string => `${low.toFixed(2)}–${high.toFixed(2)}`;
/** A rounded zero has no sign. */
export const whole = (value: number): string => (Math.round(value) || 0).toLocaleString("en").replace("-", "−");
export const milliseconds = (ms: number | null): string =>
  ms === null ? "–" : ms === Infinity ? "never ended" : `${whole(ms)} ms`;

/** With about three significant digits. */
export const figure = (value: number | null | undefined): string => {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value) || Math.abs(value) >= 100) return whole(value);
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
};

export const labelOf = ({ values }: VariedAxis, value: unknown): string =>
  values.find((one) => one.value === value)?.label ?? String(value);

/** A condition's name: the values in which it differs from the others. */
export const conditionName = ({ axes }: RunView, { values, id }: ConditionView): string =>
  axes.length ? axes.map((axis) => labelOf(axis, values[axis.name])).join(", ") : id;

export const median = (values: readonly number[]): number | null => (values.length ? middleOf([...values]) : null);
/** The geometric mean of speedups: of 2 and 1/2 it is 1. */
export const geometricMean = (speedups: readonly number[]): number => logAverage([...speedups]);
