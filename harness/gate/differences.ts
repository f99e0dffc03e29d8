/** By how much a page's times are longer than before, and its other compared measures larger, over one link. */
import { exactly, intervalOf, rankInterval } from "../statistics/estimate.ts";
import { chanceOfSoMany, type Share } from "../statistics/fisher.ts";
import { median } from "../statistics/quantile.ts";
import { type Interval, resampleBlocks, resampledMedians } from "../statistics/resample.ts";
import { type ByMeasure, type GateMeasure, type GateMeasureName, gateMeasures, ofMeasure } from "./measures.ts";
import type { GateSample } from "./sample.ts";

/** As a share of before, or as it is (`more`); negative if the time is shorter, Infinity if it is longer than could be measured. */
export type Difference = Interval & ({ share: number } | { more: number });

/** The value within the interval. */
export const amountOf = (difference: Difference): number =>
  "share" in difference ? difference.share : difference.more;

/** Of a measure that the page had before. */
export interface Comparison {
  /** null if too few pairs of loads can be compared. */
  difference: Difference | null;
  pairs: number;
  /** The loads that do not have it: they never ended, or painted nothing. */
  without: { before: Share; after: Share };
  /** Chance alone does not explain that more loads are without it than before. */
  lost: boolean;
}
export type Comparisons = ByMeasure<Comparison>;

/** Of gates that compare equal pages, at most this share has an interval without zero: of all links and measures together. */
const missesOfAll = 0.05;

const comparedMeasures = Object.values(gateMeasures).filter(
  ({ comparedFromMs, comparedFrom }) => comparedFromMs !== undefined || comparedFrom !== undefined,
);

/** @param links the number of links that the gate has */
export function comparisonsOf(before: GateSample, after: GateSample, links: number): Comparisons {
  const measures = comparedMeasures.filter((measure) => [before, after].some((sample) => isKnownIn(sample, measure)));
  const misses = missesOfAll / links / measures.length;
  return Object.fromEntries(
    measures.flatMap((measure) => {
      const comparison = comparisonOf(measure, before, after, misses);
      return comparison ? [[measure.name, comparison]] : [];
    }),
  );
}

/** Whether the lab that made the loads recorded the measure. */
const isKnownIn = ({ byBlock }: GateSample, { name, recordedLater }: GateMeasure): boolean =>
  !recordedLater || [...ofMeasure(byBlock, name).values()].some(({ atMost }) => atMost < Infinity);

/** @returns null if no load of before that ended has the measure: a page that painted nothing need not paint now */
function comparisonOf(
  { name, comparedFrom }: GateMeasure,
  before: GateSample,
  after: GateSample,
  misses: number,
): Comparison | null {
  const [from, to] = [before, after].map((sample) => timesOf(name, sample)) as [Times, Times];
  const without = { before: shareWithout(from), after: shareWithout(to) };
  if (without.before.having === before.size && before.endless < before.size) return null;
  const pairs = comparedFrom === undefined ? ratiosOf(from, to) : amountsOf(from, to);
  return {
    difference: comparedFrom === undefined ? shareOf(pairs, misses) : moreOf(pairs, misses),
    pairs: pairs.size,
    without,
    // An interval misses at its lower end in half of its misses, and so may this.
    lost: chanceOfSoMany(without.before, without.after) <= misses / 2,
  };
}

/** Block -> time. A load that never ended, or never painted, is longer than all others. */
type Times = ReadonlyMap<number, number>;

const timesOf = (name: GateMeasureName, { byBlock }: GateSample): Times =>
  new Map([...ofMeasure(byBlock, name)].map(([block, { atMost }]) => [block, atMost]));

const shareWithout = (times: Times): Share => ({
  having: [...times.values()].filter((time) => time === Infinity).length,
  of: times.size,
});

/**
 * A pair is a load before and one after with the same random losses: one block's. Their times scatter widely over a link with loss, but
 * together. Two that are both longer than could be measured do not show which one is longer.
 */
const ratiosOf = (from: Times, to: Times): Times =>
  new Map(
    [...from].flatMap(([block, was]) => {
      const ratio = (to.get(block) ?? Number.NaN) / was;
      return Number.isNaN(ratio) ? [] : [[block, ratio] as const];
    }),
  );

/** Differences of numbers that may be 0, of pairs that both have one. */
const amountsOf = (from: Times, to: Times): Times =>
  new Map(
    [...from].flatMap(([block, was]) => {
      const more = (to.get(block) ?? Number.NaN) - was;
      return Number.isFinite(more) ? [[block, more] as const] : [];
    }),
  );

/** The median of the pairs' ratios. @param misses the share of intervals that may miss */
function shareOf(ratios: Times, misses: number): Difference | null {
  if (ratios.size === 0) return null;
  const estimate = medianOf(ratios);
  const isKnown = estimate.resampled.every((ratio) => ratio > 0 && ratio < Infinity);
  const interval = isKnown ? intervalOf(exactly(estimate), "logarithm", misses) : rankInterval(estimate, misses);
  return interval && { share: estimate.value - 1, low: interval.low - 1, high: interval.high - 1 };
}

/** The median of the pairs' differences. Scores take few values, of which a standard deviation says nothing. */
function moreOf(amounts: Times, misses: number): Difference | null {
  if (amounts.size === 0) return null;
  const estimate = medianOf(amounts);
  const interval = rankInterval(estimate, misses);
  return interval && { more: estimate.value, ...interval };
}

const medianOf = (pairs: Times) => ({
  value: median(pairs.values()),
  resampled: resampledMedians(pairs, resampleBlocks(pairs.keys())),
  blocks: pairs.size,
});
