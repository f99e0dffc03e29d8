/** Summarises the speedups of a cell: maximum, mean and minimum, as in the paper, and the geometric mean. */
import { logAverage, max, mean, min } from "simple-statistics";
import { combine, type Estimate, interval95 } from "../../statistics/estimate.ts";
import type { Interval } from "../../statistics/resample.ts";
import { blocksOf, type ResampledSpeedup } from "./speedups.ts";

export const isComplete = ({ scenarios, plannedScenarios, loads, plannedLoads }: Basis): boolean =>
  scenarios === plannedScenarios && loads >= plannedLoads;

/** Statistics over the existing speedups; null if there are none. */
export function statisticsOf(speedups: readonly ResampledSpeedup[]) {
  const present = speedups.filter(({ speedup }) => speedup !== null);
  const values = present.map(({ speedup }) => speedup!);
  if (values.length === 0) return null;
  const estimates = present.map((one) => ({ value: one.speedup!, resampled: one.resampled, blocks: blocksOf(one) }));
  return {
    max: max(values),
    mean: mean(values),
    min: min(values),
    /** The geometric mean, on which conclusions rest: of 2 and 1/2 it is 1, whereas the arithmetic mean is 1.25. */
    geometricMean: logAverage(values),
    /** 95% interval of the geometric mean; null if one of the speedups has none, for too few loads. */
    interval: intervalOfMean(estimates, logAverage, "logarithm"),
  };
}

/** The interval of a mean. In each resample all its speedups have the same blocks, so that effects that they share stay visible. */
export function intervalOfMean(
  estimates: readonly (Omit<Estimate, "resampled"> & { resampled: Float64Array | null })[],
  meanOf: (values: number[]) => number,
  scale: "logarithm" | "linear",
): Interval | null {
  const whole = estimates.filter((one): one is Estimate => one.resampled !== null);
  return whole.length && whole.length === estimates.length ? interval95(combine(whole, meanOf), scale) : null;
}

/** How many of the planned scenarios and loads a number is computed from. */
export type Basis = ReturnType<typeof basisOf>;
export function basisOf(speedups: readonly ResampledSpeedup[]) {
  return {
    /** Scenarios that have a speedup, and all scenarios. */
    scenarios: speedups.filter(({ speedup }) => speedup !== null).length,
    plannedScenarios: speedups.length,
    /** Loads that count, of both sides, and how many a whole run has; of those that count, how many are flagged. */
    loads: speedups.reduce((sum, { baselineLoads, optionLoads }) => sum + baselineLoads + optionLoads, 0),
    plannedLoads: speedups.reduce((sum, { plannedLoads }) => sum + plannedLoads, 0),
    flaggedLoads: speedups.reduce((sum, { flaggedLoads }) => sum + flaggedLoads, 0),
  };
}
