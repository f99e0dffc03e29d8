/** Numbers and names as the report writes them. */
import type { ConditionView, IntervalView, RunView, VariedAxis } from "../data/model.ts";

export const times = (gain: number): string => `${gain.toFixed(2)}×`;
export const range = ({ low, high }: IntervalView): string => `${low.toFixed(2)}–${high.toFixed(2)}`;
/** Nothing has no sign. */
export const whole = (value: number): string => (Math.round(value) || 0).toLocaleString("en").replace("-", "−");
export const milliseconds = (ms: number | null): string => (ms === null ? "–" : `${whole(ms)} ms`);

/** With as many digits as tell. */
export const figure = (value: number | null | undefined): string => {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value) || Math.abs(value) >= 100) return whole(value);
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
};

export const labelOf = ({ values }: VariedAxis, value: unknown): string =>
  values.find((one) => one.value === value)?.label ?? String(value);

/** A condition by what tells it from the others. */
export const conditionName = ({ axes }: RunView, { values, id }: ConditionView): string =>
  axes.length ? axes.map((axis) => labelOf(axis, values[axis.name])).join(", ") : id;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return null;
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!;
}
