/** Gain of a case in each setting: median page load time of the base / median of the option (paper, 5.4.1). */
import { median } from "simple-statistics";
import { interval95 } from "../../statistics/estimate.ts";
import { type Interval, type Redraws, resampledMedians } from "../../statistics/resample.ts";
import type { Sample } from "./counted.ts";
import { type Contrast, matches, type Setting, settingKey, settingOf } from "./setting.ts";

/** One case in one setting. Above 1 the option is faster. Null where a side has no load: never guessed. */
export interface Gain {
  case: string;
  setting: Setting;
  /** Loads that count on each side. */
  baseLoads: number;
  optionLoads: number;
  /** How many a whole run has, of both sides. */
  plannedLoads: number;
  /** Of the loads that count, those that are flagged. */
  flaggedLoads: number;
  baseMedianMs: number | null;
  optionMedianMs: number | null;
  gain: number | null;
  /** 95% bootstrap interval over blocks; null with too few loads on a side. */
  interval: Interval | null;
}

/** A gain with its value in every redraw of the blocks; null where it has no interval. */
export interface ResampledGain extends Gain {
  redrawn: Float64Array | null;
}

/** How many blocks its interval would rest on. */
export const blocksOf = ({ baseLoads, optionLoads }: Gain): number => Math.min(baseLoads, optionLoads);

/** The medians of each sample in every redraw, made once: every case shares the base. */
export type RedrawnMedians = ReadonlyMap<Sample, Float64Array>;

export const redrawMedians = (samples: readonly Sample[], redraws: Redraws): RedrawnMedians =>
  new Map(samples.map((sample) => [sample, resampledMedians(sample.byBlock, redraws)]));

/** A setting's two sides, as far as there are conditions of them. */
export interface Pair {
  setting: Setting;
  base?: Sample;
  option?: Sample;
}

/** A line a setting, in the order of the samples. */
export function pairsOf(sides: Contrast, samples: readonly Sample[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const sample of samples) {
    for (const side of ["base", "option"] as const) {
      if (!matches(sample.condition.values, sides[side])) continue;
      const setting = settingOf(sample.condition.values, sides);
      const key = settingKey(setting);
      pairs.set(key, { setting, ...pairs.get(key), [side]: sample });
    }
  }
  return [...pairs.values()];
}

/** The gains of one case, in the order of its settings. */
export const gainsOf = (
  caseId: string,
  sides: Contrast,
  samples: readonly Sample[],
  medians: RedrawnMedians,
): ResampledGain[] =>
  pairsOf(sides, samples).map(({ setting, base, option }) => gainOf(caseId, setting, base, option, medians));

function gainOf(
  caseId: string,
  setting: Setting,
  base: Sample | undefined,
  option: Sample | undefined,
  medians: RedrawnMedians,
): ResampledGain {
  const baseMedianMs = medianMs(base);
  const optionMedianMs = medianMs(option);
  const gain = baseMedianMs === null || optionMedianMs === null ? null : baseMedianMs / optionMedianMs;
  const [baseLoads, optionLoads] = [base?.byBlock.size ?? 0, option?.byBlock.size ?? 0];
  const redrawn = base && option && gain !== null ? redrawnGains(base, option, medians) : null;
  const blocks = Math.min(baseLoads, optionLoads);
  const interval = redrawn && interval95({ value: gain!, resampled: redrawn, blocks }, "logarithm");
  return {
    case: caseId,
    setting,
    baseLoads,
    optionLoads,
    plannedLoads: ((base ?? option)?.planned ?? 0) + ((option ?? base)?.planned ?? 0),
    flaggedLoads: (base?.flagged ?? 0) + (option?.flagged ?? 0),
    baseMedianMs,
    optionMedianMs,
    gain,
    interval,
    redrawn: interval && redrawn,
  };
}

function medianMs(sample: Sample | undefined): number | null {
  return sample && sample.byBlock.size > 0 ? median([...sample.byBlock.values()]) : null;
}

/** Both sides see the same blocks in a redraw. */
function redrawnGains(base: Sample, option: Sample, medians: RedrawnMedians): Float64Array {
  const optionMedians = medians.get(option)!;
  return medians.get(base)!.map((baseMs, draw) => baseMs / optionMedians[draw]!);
}
