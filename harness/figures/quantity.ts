/** The quantities of a figure's y axis: a condition's value, or how a comparison changes it. */
import type { FigureSpec } from "../plan/figures.ts";

interface QuantityKind {
  /** @param what the name of the measured number, as in "median page load time" */
  title(what: string): string;
  unit(metricUnit: string): string;
  /** The value that means no change. */
  neutral: number | null;
  /** The quantity "value" ignores the baseline. */
  of(baseline: number, option: number): number;
  /** Whether the quantity falls as the option's number grows. */
  falls: boolean;
}

const own = (text: string) => text;
const saved = { title: (what: string) => `${what} saved`, neutral: 0, falls: true } as const;

export const quantityKinds: Readonly<Record<FigureSpec["quantity"], QuantityKind>> = {
  value: { title: own, unit: own, neutral: null, of: (_, option) => option, falls: false },
  speedup: {
    title: (what) => `speedup of ${what}: baseline / option`,
    unit: () => "",
    neutral: 1,
    of: (baseline, option) => baseline / option,
    falls: true,
  },
  improvement: { ...saved, unit: own, of: (baseline, option) => baseline - option },
  improvementPercent: { ...saved, unit: () => "%", of: (baseline, option) => 100 * (1 - option / baseline) },
};
