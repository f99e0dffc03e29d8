/** What can stand on a figure's y axis: a condition's own value, or what a comparison changes in it. */
import type { FigureSpec } from "../../plan/figures.ts";

export type Quantity = FigureSpec["quantity"];

interface Comparison {
  /** @param what "median page load time" */
  title(what: string): string;
  unit(metricUnit: string): string;
  neutral: number;
  of(base: number, option: number): number;
  /** A ratio has the interval, and the mean, of its logarithm. */
  scale: "logarithm" | "linear";
}

export const comparisons: Readonly<Record<Exclude<Quantity, "value">, Comparison>> = {
  speedup: {
    title: (what) => `speedup of ${what}: baseline / option`,
    unit: () => "",
    neutral: 1,
    of: (base, option) => base / option,
    scale: "logarithm",
  },
  improvement: {
    title: (what) => `${what} saved`,
    unit: (metricUnit) => metricUnit,
    neutral: 0,
    of: (base, option) => base - option,
    scale: "linear",
  },
  improvementPercent: {
    title: (what) => `${what} saved`,
    unit: () => "%",
    neutral: 0,
    of: (base, option) => 100 * (1 - option / base),
    scale: "linear",
  },
};
