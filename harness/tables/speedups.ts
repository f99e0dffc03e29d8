/** Computes the speedup of a comparison in each scenario: the baseline's median page load time divided by the option's (paper, 5.4.1). */

import type { Contrast } from "../plan/comparisons.ts";
import { boundedValue, type Estimate, interval95, ratioOf } from "../statistics/estimate.ts";
import type { Resamples } from "../statistics/resample.ts";
import { parseStatistic } from "../statistics/statistic.ts";
import type { Sample } from "./counted.ts";
import { type Pair, pairsOf } from "./scenario.ts";

/** A speedup with its value in every resample of the blocks. */
export type ResampledSpeedup = ReturnType<typeof speedupOf>;
export type Speedup = Omit<ResampledSpeedup, "estimate">;

/** Each sample's median in every resample. It is computed once, because several comparisons have the same baseline. */
export type ResampledMedians = ReadonlyMap<Sample, Estimate>;

const median = parseStatistic("median")!;

export const resampleMedians = (samples: readonly Sample[], resamples: Resamples): ResampledMedians =>
  new Map(samples.map((sample) => [sample, median.estimate([sample], resamples)]));

export const speedupsOf = (
  comparison: string,
  sides: Contrast,
  samples: readonly Sample[],
  medians: ResampledMedians,
): ResampledSpeedup[] => pairsOf(sides, samples).map((pair) => speedupOf(comparison, pair, medians));

function speedupOf(comparison: string, { scenario, baseline, option }: Pair<Sample>, medians: ResampledMedians) {
  const [baselineLoads, optionLoads] = [baseline?.byBlock.size ?? 0, option?.byBlock.size ?? 0];
  const estimate = baseline && option ? ratioIfAny(ratioOf(medians.get(baseline)!, medians.get(option)!)) : null;
  const { value, bound } = estimate ? boundedValue(estimate, "logarithm") : { value: null, bound: null };
  return {
    comparison,
    scenario,
    /** Loads that count on each side; planned loads of both sides; and flagged loads among those that count. */
    baselineLoads,
    optionLoads,
    plannedLoads: ((baseline ?? option)?.planned ?? 0) + ((option ?? baseline)?.planned ?? 0),
    flaggedLoads: (baseline?.flagged ?? 0) + (option?.flagged ?? 0),
    /** Infinity if half of the loads or more never ended; null without loads. */
    baselineMedianMs: medianMs(baseline),
    optionMedianMs: medianMs(option),
    /** Above 1 if the option is faster. Null without `estimate`, or if on both sides half of the loads or more never ended. */
    speedup: value,
    /** Set if on exactly one side half of the loads or more never ended. */
    bound,
    /** 95% bootstrap interval over blocks; an end may be open. null with too few loads on a side. */
    interval: estimate && value !== null ? interval95(estimate, "logarithm") : null,
    /** null without loads of both sides, or if a median is 0. */
    estimate,
  };
}

const ratioIfAny = (estimate: Estimate): Estimate | null =>
  estimate.most.value > 0 && estimate.least.value < Infinity ? estimate : null;

const medianMs = (sample: Sample | undefined): number | null =>
  sample?.byBlock.size ? median.of([...sample.byBlock.values()]) : null;
