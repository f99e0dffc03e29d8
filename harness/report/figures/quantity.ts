/** The quantities of a figure's y axis: a condition's value, or how a comparison changes it. */
import type { FigureSpec } from "../../plan/figures.ts";
import type { Scale } from "../../statistics/estimate.ts";

interface QuantityKind {
  /** @param what "median page load time" */
  title(what: string): string;
  unit(metricUnit: string): string;
  /** Where nothing is won or lost. */
  neutral: number | null;
  /** @param baseline ignored for a value, which is compared with nothing */
  of(baseline: number, option: number): number;
  /** A ratio has the interval, and the mean, of its logarithm. */
  scale: Scale;
}

const own = (text: string) => text;
const saved = { title: (what: string) => `${what} saved`, neutral: 0, scale: "linear" } as const;

export const quantityKinds: Readonly<Record<FigureSpec["quantity"], QuantityKind>> = {
  value: { title: own, unit: own, neutral: null, of: (_, option) => option, scale: "logarithm" },
  speedup: {
    title: (what) => `speedup of ${what}: baseline / option`,
    unit: () => "",
    neutral: 1,
    of: (baseline, option) => baseline / option,
    scale: "logarithm",
  },
  improvement: { ...saved, unit: own, of: (baseline, option) => baseline - option },
  improvementPercent: { ...saved, unit: () => "%", of: (baseline, option) => 100 * (1 - option / baseline) },
};
