/** Speedup of a comparison in each scenario: median page load time of the baseline / median of the option (paper, 5.4.1). */
import { median } from "simple-statistics";
import { interval95 } from "../../statistics/estimate.ts";
import { type Interval, type Resamples, resampledMedians } from "../../statistics/resample.ts";
import type { Sample } from "./counted.ts";
import { type Contrast, pairsOf, type Scenario } from "./scenario.ts";

/** One comparison in one scenario. Above 1 the option is faster. Null where a side has no load: never guessed. */
export interface Speedup {
  comparison: string;
  scenario: Scenario;
  /** Loads that count on each side. */
  baselineLoads: number;
  optionLoads: number;
  /** How many a whole run has, of both sides. */
  plannedLoads: number;
  /** Of the loads that count, those that are flagged. */
  flaggedLoads: number;
  baselineMedianMs: number | null;
  optionMedianMs: number | null;
  speedup: number | null;
  /** 95% bootstrap interval over blocks; null with too few loads on a side. */
  interval: Interval | null;
}

/** A speedup with its value in every resample of the blocks; null where it has no interval. */
export interface ResampledSpeedup extends Speedup {
  resampled: Float64Array | null;
}

/** How many blocks its interval would rest on. */
export const blocksOf = ({ baselineLoads, optionLoads }: Speedup): number => Math.min(baselineLoads, optionLoads);

/** The medians of each sample in every resample, computed once, since comparisons share the baseline. */
export type ResampledMedians = ReadonlyMap<Sample, Float64Array>;

export const resampleMedians = (samples: readonly Sample[], resamples: Resamples): ResampledMedians =>
  new Map(samples.map((sample) => [sample, resampledMedians(sample.byBlock, resamples)]));

/** The speedups of one comparison, in the order of its scenarios. */
export const speedupsOf = (
  comparisonId: string,
  sides: Contrast,
  samples: readonly Sample[],
  medians: ResampledMedians,
): ResampledSpeedup[] =>
  pairsOf(sides, samples).map(({ scenario, baseline, option }) =>
    speedupOf(comparisonId, scenario, baseline, option, medians),
  );

function speedupOf(
  comparisonId: string,
  scenario: Scenario,
  baseline: Sample | undefined,
  option: Sample | undefined,
  medians: ResampledMedians,
): ResampledSpeedup {
  const baselineMedianMs = medianMs(baseline);
  const optionMedianMs = medianMs(option);
  const speedup = baselineMedianMs === null || optionMedianMs === null ? null : baselineMedianMs / optionMedianMs;
  const [baselineLoads, optionLoads] = [baseline?.byBlock.size ?? 0, option?.byBlock.size ?? 0];
  const resampled = baseline && option && speedup !== null ? resampledSpeedups(baseline, option, medians) : null;
  const blocks = Math.min(baselineLoads, optionLoads);
  const interval = resampled && interval95({ value: speedup!, resampled, blocks }, "logarithm");
  return {
    comparison: comparisonId,
    scenario,
    baselineLoads,
    optionLoads,
    plannedLoads: ((baseline ?? option)?.planned ?? 0) + ((option ?? baseline)?.planned ?? 0),
    flaggedLoads: (baseline?.flagged ?? 0) + (option?.flagged ?? 0),
    baselineMedianMs,
    optionMedianMs,
    speedup,
    interval,
    resampled: interval && resampled,
  };
}

function medianMs(sample: Sample | undefined): number | null {
  return sample && sample.byBlock.size > 0 ? median([...sample.byBlock.values()]) : null;
}

/** Both sides see the same blocks in a resample. */
function resampledSpeedups(baseline: Sample, option: Sample, medians: ResampledMedians): Float64Array {
  const optionMedians = medians.get(option)!;
  return medians.get(baseline)!.map((baselineMs, draw) => baselineMs / optionMedians[draw]!);
}
