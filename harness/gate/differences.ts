/** By how much a page's compared measures grew over one link, such as its times. */
import { exactly, intervalOf, rankInterval } from "../statistics/estimate.ts";
import { chanceOfSoMany, type Share } from "../statistics/fisher.ts";
import { median } from "../statistics/quantile.ts";
import { type Interval, resampleBlocks, resampledMedians, tooFewBlocks } from "../statistics/resample.ts";
import { type ByMeasure, type GateMeasure, type GateMeasureName, gateMeasures, ofMeasure } from "./measures.ts";
import type { GateSample } from "./sample.ts";

/** Relative to before (`share`) or absolute (`more`). Negative if the measure fell, Infinity if a time is longer than could be measured. */
export type Difference = Interval & ({ share: number } | { more: number });

/** The difference itself, without its interval. */
export const amountOf = (difference: Difference): number =>
  "share" in difference ? difference.share : difference.more;

/** Comparison of a measure that the page had before. */
export interface Comparison {
  /** null if too few pairs of loads can be compared. */
  difference: Difference | null;
  pairs: number;
  /** The loads without the measure: they never ended, or never painted. */
  without: { before: Share; after: Share };
  /** More loads than before lack the measure, and chance alone does not explain it: the gate is red. */
  lost: boolean;
}
export type Comparisons = ByMeasure<Comparison>;

/** If both pages are equal, at most this share of gates has an interval that excludes zero, counting all pages, links and measures of a gate. */
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

/** Whether the lab's version that made the loads recorded the measure. */
const isKnownIn = ({ byBlock }: GateSample, { name, recordedLater }: GateMeasure): boolean =>
  !recordedLater || [...ofMeasure(byBlock, name).values()].some(({ atMost }) => atMost < Infinity);

/** @returns null if loads of the page before ended, but none has the measure: a page that never painted need not paint now */
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
    // Half of an interval's misses are at its lower end, so this test is allowed the same share.
    lost: chanceOfSoMany(without.before, without.after) <= misses / 2,
  };
}

/** Block -> time. A load that never ended, or never painted, counts as longer than all others. */
type Times = ReadonlyMap<number, number>;

const timesOf = (name: GateMeasureName, { byBlock }: GateSample): Times =>
  new Map([...ofMeasure(byBlock, name)].map(([block, { atMost }]) => [block, atMost]));

const shareWithout = (times: Times): Share => ({
  having: [...times.values()].filter((time) => time === Infinity).length,
  of: times.size,
});

/**
 * A pair is the load before and the load after of one block, which have the same random losses. Over a link with loss both times scatter
 * widely, but together. A pair in which both times are longer than could be measured has no ratio and is left out.
 */
const ratiosOf = (from: Times, to: Times): Times =>
  new Map(
    [...from].flatMap(([block, was]) => {
      const ratio = (to.get(block) ?? Number.NaN) / was;
      return Number.isNaN(ratio) ? [] : [[block, ratio] as const];
    }),
  );

/** Differences, for numbers that may be 0; only from pairs in which both loads have a number. */
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
  const interval = isKnown ? intervalOf(exactly(estimate), "logarithm", misses) : byRanks(estimate, misses);
  return interval && { share: estimate.value - 1, low: Math.max(0, interval.low) - 1, high: interval.high - 1 };
}

/** The median of the pairs' differences. Its interval is from ranks, because scores take few values and have no useful standard deviation. */
function moreOf(amounts: Times, misses: number): Difference | null {
  if (amounts.size === 0) return null;
  const estimate = medianOf(amounts);
  const interval = byRanks(estimate, misses);
  return interval && { more: estimate.value, ...interval };
}

/** Open at both ends if the pairs are too few for the gate's level of confidence: a gate of many rows needs more than five. */
const byRanks = (estimate: ReturnType<typeof medianOf>, misses: number): Interval | null =>
  tooFewBlocks(estimate.blocks) ? null : (rankInterval(estimate, misses) ?? { low: -Infinity, high: Infinity });

const medianOf = (pairs: Times) => ({
  value: median(pairs.values()),
  resampled: resampledMedians(pairs, resampleBlocks(pairs.keys())),
  blocks: pairs.size,
});
