/** By how much a page's times are longer than before, over one link. */
import { exactly, intervalOf, rankInterval } from "../statistics/estimate.ts";
import { chanceOfSoMany, type Share } from "../statistics/fisher.ts";
import { median } from "../statistics/quantile.ts";
import { type Interval, resampleBlocks, resampledMedians } from "../statistics/resample.ts";
import { type ByMeasure, type GateMeasureName, gateMeasures, ofMeasure } from "./measures.ts";
import type { GateSample } from "./sample.ts";

/** As a share of before; negative if the time is shorter, Infinity if it is longer than could be measured. */
export interface Difference extends Interval {
  share: number;
}

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

const comparedMeasures = Object.values(gateMeasures).filter(({ comparedFromMs }) => comparedFromMs !== undefined);

/** @param links the number of links that the gate has */
export const comparisonsOf = (before: GateSample, after: GateSample, links: number): Comparisons =>
  Object.fromEntries(
    comparedMeasures.flatMap(({ name }) => {
      const comparison = comparisonOf(name, before, after, missesOfAll / links / comparedMeasures.length);
      return comparison ? [[name, comparison]] : [];
    }),
  );

/** @returns null if no load of before that ended has the measure: a page that painted nothing need not paint now */
function comparisonOf(name: GateMeasureName, before: GateSample, after: GateSample, misses: number): Comparison | null {
  const [from, to] = [before, after].map((sample) => timesOf(name, sample)) as [Times, Times];
  const without = { before: shareWithout(from), after: shareWithout(to) };
  if (without.before.having === before.size && before.endless < before.size) return null;
  const ratios = ratiosOf(from, to);
  return {
    difference: differenceOf(ratios, misses),
    pairs: ratios.size,
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

/** The median of the pairs' ratios. @param misses the share of intervals that may miss */
function differenceOf(ratios: Times, misses: number): Difference | null {
  if (ratios.size === 0) return null;
  const resampled = resampledMedians(ratios, resampleBlocks(ratios.keys()));
  const estimate = { value: median(ratios.values()), resampled, blocks: ratios.size };
  const isKnown = resampled.every((ratio) => ratio > 0 && ratio < Infinity);
  const interval = isKnown ? intervalOf(exactly(estimate), "logarithm", misses) : rankInterval(estimate, misses);
  return interval && { share: estimate.value - 1, low: interval.low - 1, high: interval.high - 1 };
}
