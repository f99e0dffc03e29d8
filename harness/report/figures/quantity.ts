/** What can stand on a figure's y axis: a condition's own value, or what a case changes of it. */
import type { FigureSpec } from "../../plan/figures.ts";
import { logVariance } from "../tables/statistics.ts";

export type Quantity = FigureSpec["quantity"];

interface Comparison {
  /** @param what "median page load time" */
  title(what: string): string;
  unit(metricUnit: string): string;
  neutral: number;
  of(base: number, option: number): number;
  /** By how much its redraws are too large on average (harness/report/tables/statistics.ts). */
  bias(value: number, redrawn: Float64Array): number;
}

export const comparisons: Readonly<Record<Exclude<Quantity, "value">, Comparison>> = {
  speedup: {
    title: (what) => `speedup of ${what}: baseline / option`,
    unit: () => "",
    neutral: 1,
    of: (base, option) => base / option,
    bias: (gain, redrawn) => gain * logVariance(redrawn),
  },
  improvement: {
    title: (what) => `${what} saved`,
    unit: (metricUnit) => metricUnit,
    neutral: 0,
    of: (base, option) => base - option,
    bias: () => 0,
  },
  improvementPercent: {
    title: (what) => `${what} saved`,
    unit: () => "%",
    neutral: 0,
    of: (base, option) => 100 * (1 - option / base),
    bias: (percent, redrawn) => (percent - 100) * logVariance(redrawn.map((one) => 1 - one / 100)),
  },
};
