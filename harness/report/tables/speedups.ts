/** Speedup of a comparison in each scenario: median page load time of the baseline / median of the option (paper, 5.4.1). */
import { median } from "simple-statistics";
import { interval95 } from "../../statistics/estimate.ts";
import { type Resamples, resampledMedians } from "../../statistics/resample.ts";
import type { Sample } from "./counted.ts";
import { type Contrast, type Pair, pairsOf } from "./scenario.ts";

/** A speedup with its value in every resample of the blocks; null if it has no interval. */
export type ResampledSpeedup = ReturnType<typeof speedupOf>;
export type Speedup = Omit<ResampledSpeedup, "resampled">;

/** The number of blocks that its interval would be computed from. */
export const blocksOf = ({ baselineLoads, optionLoads }: Speedup): number => Math.min(baselineLoads, optionLoads);

/** Each sample's median in every resample, computed once, because comparisons share the baseline. */
export type ResampledMedians = ReadonlyMap<Sample, Float64Array>;

export const resampleMedians = (samples: readonly Sample[], resamples: Resamples): ResampledMedians =>
  new Map(samples.map((sample) => [sample, resampledMedians(sample.byBlock, resamples)]));

/** The speedups of one comparison, in the order of its scenarios. */
export const speedupsOf = (
  comparison: string,
  sides: Contrast,
  samples: readonly Sample[],
  medians: ResampledMedians,
): ResampledSpeedup[] => pairsOf(sides, samples).map((pair) => speedupOf(comparison, pair, medians));

/** One comparison in one scenario. */
function speedupOf(comparison: string, { scenario, baseline, option }: Pair<Sample>, medians: ResampledMedians) {
  const [baselineMedianMs, optionMedianMs] = [medianMs(baseline), medianMs(option)];
  const [baselineLoads, optionLoads] = [baseline?.byBlock.size ?? 0, option?.byBlock.size ?? 0];
  const ratio = (baselineMedianMs ?? Infinity) / (optionMedianMs ?? Infinity);
  const speedup = Number.isFinite(ratio) && ratio > 0 ? ratio : null;
  const resampled = baseline && option && speedup !== null ? resampledSpeedups(baseline, option, medians) : null;
  const blocks = Math.min(baselineLoads, optionLoads);
  const interval = resampled && interval95({ value: speedup!, resampled, blocks }, "logarithm");
  return {
    comparison,
    scenario,
    /** Loads that count on each side, how many of both sides a whole run has, and how many of those that count are flagged. */
    baselineLoads,
    optionLoads,
    plannedLoads: ((baseline ?? option)?.planned ?? 0) + ((option ?? baseline)?.planned ?? 0),
    flaggedLoads: (baseline?.flagged ?? 0) + (option?.flagged ?? 0),
    baselineMedianMs,
    optionMedianMs,
    /** Above 1, the option is faster. Null if a side has no load, or most of its loads never ended. */
    speedup,
    /** 95% bootstrap interval over blocks; null with too few loads on a side. */
    interval,
    resampled: interval && resampled,
  };
}

const medianMs = (sample: Sample | undefined): number | null =>
  sample?.byBlock.size ? median([...sample.byBlock.values()]) : null;

/** In each resample both sides have the same blocks. */
function resampledSpeedups(baseline: Sample, option: Sample, medians: ResampledMedians): Float64Array {
  const optionMedians = medians.get(option)!;
  return medians.get(baseline)!.map((baselineMs, draw) => baselineMs / optionMedians[draw]!);
}
