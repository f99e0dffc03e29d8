/** Computes by how much a page's times and other measures grew over one link. */
import { exactly, intervalOf, rankInterval } from "../statistics/estimate.ts";
import { chanceOfSoMany, type Share } from "../statistics/fisher.ts";
import { median } from "../statistics/quantile.ts";
import { enoughBlocks, type Interval, resampleBlocks, resampledMedians, tooFewBlocks } from "../statistics/resample.ts";
import { type ByMeasure, type GateMeasure, gateMeasures, isUnknown, ofMeasure } from "./measures.ts";
import type { GateSample } from "./sample.ts";

/**
 * Relative to the earlier page (`share`) or absolute (`more`). A difference is negative if the measure fell, and Infinity if the time is now
 * too long to be measured. `needsPairs`: set if the interval has no ends, because ranks need this many pairs for the gate's confidence level.
 */
export type Difference = Interval & ({ share: number } | { more: number }) & { needsPairs?: number };

export const amountOf = (difference: Difference): number =>
  "share" in difference ? difference.share : difference.more;

export interface Comparison {
  /** null if too few pairs of loads can be compared. */
  difference: Difference | null;
  pairs: number;
  /** The earlier page's median. A load that never ended or never painted counts as Infinity. Loads that do not show the time are left out. */
  from: number;
  /** How many loads lack the measure: they never ended, never painted, or do not show the time of the paint. */
  without: { before: Share; after: Share };
  /** Whether so many more loads than before lack the measure that chance does not explain it. Then the gate fails. */
  lost: boolean;
}
export type Comparisons = ByMeasure<Comparison>;

/** If both pages are equal, at most this share of gates has an interval (for any page, link or measure) that excludes zero. */
const missesOfAll = 0.05;

const comparedMeasures = Object.values(gateMeasures).filter(
  ({ comparedFromMs, comparedFrom }) => comparedFromMs !== undefined || comparedFrom !== undefined,
);

/** @param rows how many pairs of a page and a link the gate compares */
export function comparisonsOf(before: GateSample, after: GateSample, rows: number): Comparisons {
  const measures = comparedMeasures.filter((measure) => [before, after].some((sample) => isKnownIn(sample, measure)));
  const misses = missesOfAll / rows / measures.length;
  return Object.fromEntries(
    measures.flatMap((measure) => {
      const comparison = comparisonOf(measure, before, after, misses);
      return comparison ? [[measure.name, comparison]] : [];
    }),
  );
}

/** Whether the version of the lab that made the loads recorded this measure. */
const isKnownIn = ({ byBlock }: GateSample, { name, recordedLater }: GateMeasure): boolean =>
  !recordedLater || [...ofMeasure(byBlock, name).values()].some(({ atMost }) => atMost < Infinity);

/** @returns null if no load of the earlier page shows the measure: a page that never painted need not paint now */
function comparisonOf(measure: GateMeasure, before: GateSample, after: GateSample, misses: number): Comparison | null {
  const { comparedFrom } = measure;
  const [from, to] = [before, after].map((sample) => timesOf(measure, sample)) as [Times, Times];
  const without = { before: shareWithout(from, before), after: shareWithout(to, after) };
  const neverHad = without.before.having === before.size && before.endless < before.size;
  if (neverHad || from.size === 0) return null;
  const pairs = comparedFrom === undefined ? ratiosOf(from, to) : amountsOf(from, to);
  return {
    difference: comparedFrom === undefined ? shareOf(pairs, misses) : moreOf(pairs, misses),
    pairs: pairs.size,
    from: median(from.values()),
    without,
    // Half of the intervals that miss the truth are above it. So this one-sided test may be wrong in half as many cases as an interval.
    lost: chanceOfSoMany(shareLost(from), shareLost(to)) <= misses / 2,
  };
}

/** Block -> time. A load that never ended, or never painted, counts as Infinity. A load that does not show the time is left out. */
type Times = ReadonlyMap<number, number>;

const timesOf = (measure: GateMeasure, { byBlock }: GateSample): Times =>
  new Map(
    [...ofMeasure(byBlock, measure.name)].flatMap(([block, bounds]) =>
      isUnknown(measure, bounds) ? [] : [[block, bounds.atMost] as const],
    ),
  );

const shareLost = (times: Times): Share => ({
  having: [...times.values()].filter((time) => time === Infinity).length,
  of: times.size,
});

const shareWithout = (times: Times, { size }: GateSample): Share => ({
  having: shareLost(times).having + size - times.size,
  of: size,
});

/** A pair: one load of each page, with the same random losses, so ratios vary less than times. Pairs of two infinite times have no ratio. */
const ratiosOf = (from: Times, to: Times): Times =>
  new Map(pairwise(from, to, (was, is) => is / was).filter(([, ratio]) => !Number.isNaN(ratio)));

/** Computes differences instead of ratios, for numbers that may be 0. Pairs in which a load has no number are left out. */
const amountsOf = (from: Times, to: Times): Times =>
  new Map(pairwise(from, to, (was, is) => is - was).filter(([, more]) => Number.isFinite(more)));

const pairwise = (from: Times, to: Times, of: (was: number, is: number) => number) =>
  [...from].map(([block, was]) => [block, of(was, to.get(block) ?? Number.NaN)] as const);

/** Computes the median of the pairs' ratios, less 1. @param misses the share of intervals that may miss the true value */
function shareOf(ratios: Times, misses: number): Difference | null {
  if (tooFewBlocks(ratios.size)) return null;
  const estimate = medianOf(ratios);
  const isKnown = estimate.resampled.every((ratio) => ratio > 0 && ratio < Infinity);
  const interval = isKnown
    ? intervalOf(exactly(estimate), "logarithm", misses)
    : (rankInterval(estimate, misses) ?? halfOpen(ratios, misses));
  return interval && { share: estimate.value - 1, low: interval.low - 1, high: interval.high - 1 };
}

/**
 * The interval if there are too few pairs to compare them by ranks. Infinite ratios are replaced by the largest known ratio, and ratios of 0
 * by the smallest one. The true ratios lie beyond these substitutes, so the interval is open on that side: from 0, or to Infinity.
 */
function halfOpen(ratios: Times, misses: number): Interval {
  const all = [...ratios.values()];
  const known = all.filter((ratio) => ratio > 0 && ratio < Infinity);
  const open = { low: 0, high: Infinity };
  if (all.every((ratio) => ratio === Infinity)) return { ...open, low: Infinity };
  if (all.every((ratio) => ratio === 0)) return { ...open, high: 0 };
  if (known.length < enoughBlocks) return open;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const kept = new Map([...ratios].map(([block, ratio]) => [block, Math.min(Math.max(ratio, least), most)]));
  const interval = intervalOf(exactly(medianOf(kept)), "logarithm", misses) ?? open;
  return { low: all.includes(0) ? 0 : interval.low, high: all.includes(Infinity) ? Infinity : interval.high };
}

/** The median of the pairs' differences. Its interval comes from ranks: scores have few distinct values, so their deviation is useless. */
function moreOf(amounts: Times, misses: number): Difference | null {
  if (tooFewBlocks(amounts.size)) return null;
  const estimate = medianOf(amounts);
  const interval = rankInterval(estimate, misses);
  if (interval) return { more: estimate.value, ...interval };
  return { more: estimate.value, low: -Infinity, high: Infinity, needsPairs: Math.ceil(1 - Math.log2(misses)) };
}

const medianOf = (pairs: Times) => ({
  value: median(pairs.values()),
  resampled: resampledMedians(pairs, resampleBlocks(pairs.keys())),
  blocks: pairs.size,
});
