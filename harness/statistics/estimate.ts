/**
 * An estimate, with its value in every resample of the blocks. Each resample draws the same blocks for all estimates, so that a number
 * that is computed from several of them has an interval, too.
 */
import jstat from "jstat";
import { quantileSorted, variance } from "simple-statistics";
import { type Interval, tooFewBlocks } from "./resample.ts";

export type Bound = "at least" | "at most";

export interface Estimate {
  value: number;
  /** Set if some loads never ended, because then the value is only a bound. */
  bound?: Bound;
  resampled: Float64Array;
  /** The number of blocks in the smallest of its samples. */
  blocks: number;
}

export type Scale = "linear" | "logarithm";

/** A new estimate, computed from the others value by value and resample by resample. */
export function combine(estimates: readonly Estimate[], compute: (values: number[]) => number): Estimate {
  return {
    value: compute(estimates.map(({ value }) => value)),
    resampled: estimates[0]!.resampled.map((_, i) => compute(estimates.map(({ resampled }) => resampled[i]!))),
    blocks: Math.min(...estimates.map(({ blocks }) => blocks)),
  };
}

/**
 * Each end is the wider one of two intervals, because neither alone is always wide enough. Student's t interval, with the standard
 * deviation of the resamples as standard error, is good for means, but too narrow for quantiles of loads that take one of few times. The
 * expanded percentile interval (Hesterberg, What Teachers Should Know about the Bootstrap, 2015) is good for quantiles, but too narrow for
 * means of few blocks. A time or a ratio, which is always positive, gets the interval of its logarithm. `./lab bench intervals` simulates
 * how often these intervals contain the truth.
 * @param scale "linear" for values that may be negative: differences and percentages
 * @returns null below five blocks, and if half of the resamples have no value or one is infinite
 */
export const interval95 = (estimate: Estimate, scale: Scale): Interval | null => intervalOf(estimate, scale, 0.05);

/** The same with another confidence. @param misses the share of intervals that may miss the truth: 0.05 for 95% intervals */
export function intervalOf({ value, resampled, blocks }: Estimate, scale: Scale, misses: number): Interval | null {
  if (tooFewBlocks(blocks)) return null;
  const [to, from] = scale === "linear" ? [Number, Number] : [Math.log, Math.exp];
  const known = [...resampled].filter((one) => !Number.isNaN(one));
  const sorted = known.map(to).sort((a, b) => a - b);
  if (known.length <= resampled.length / 2) return null;
  if (![to(value), sorted[0], sorted.at(-1)].every(Number.isFinite)) return null;
  const { t, correction, tail } = expansion(blocks, misses);
  const half = t * Math.sqrt(variance(sorted)) * correction;
  return {
    low: from(Math.min(to(value) - half, quantileSorted(sorted, tail))),
    high: from(Math.max(to(value) + half, quantileSorted(sorted, 1 - tail))),
  };
}

/**
 * An interval by ranks alone, of values that may be infinite: times that are longer than could be measured. Only its percentile interval
 * is known, because such values have no standard deviation.
 */
export function rankInterval({ resampled, blocks }: Estimate, misses: number): Interval | null {
  if (tooFewBlocks(blocks)) return null;
  const sorted = resampled.toSorted();
  const outside = Math.floor(expansion(blocks, misses).tail * (sorted.length - 1));
  return { low: sorted[outside]!, high: sorted[sorted.length - 1 - outside]! };
}

/** Student's t for this many blocks, and how much of the resamples an interval leaves out at each end. */
function expansion(blocks: number, misses: number) {
  const correction = Math.sqrt(blocks / (blocks - 1));
  const t = jstat.studentt.inv(1 - misses / 2, blocks - 1);
  return { t, correction, tail: jstat.normal.cdf(-t * correction, 0, 1) };
}
