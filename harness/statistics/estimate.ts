/**
 * An estimate with its value in every resample of the blocks, so that whatever is computed of several estimates has an
 * interval of its own: each resample draws the same blocks for all of them.
 */
import jstat from "jstat";
import { quantileSorted, variance } from "simple-statistics";
import { type Interval, tooFewBlocks } from "./resample.ts";

export type Bound = "at least" | "at most";

export interface Estimate {
  value: number;
  /** Loads that never ended leave only a bound of it. */
  bound?: Bound;
  resampled: Float64Array;
  /** Of the smallest sample that it rests on. */
  blocks: number;
}

export type Scale = "linear" | "logarithm";

/** A new estimate, computed of the others value by value and resample by resample. */
export function combine(estimates: readonly Estimate[], compute: (values: number[]) => number): Estimate {
  return {
    value: compute(estimates.map(({ value }) => value)),
    resampled: estimates[0]!.resampled.map((_, i) => compute(estimates.map(({ resampled }) => resampled[i]!))),
    blocks: Math.min(...estimates.map(({ blocks }) => blocks)),
  };
}

/**
 * The wider of two intervals at each end, for neither is wide enough alone. Student's t, with the standard deviation of the
 * resamples for its standard error, is good for means, and too narrow for quantiles of loads that take one of few times. The expanded
 * percentile interval (Hesterberg, What Teachers Should Know about the Bootstrap, 2015) is good for quantiles, and too narrow for means
 * of few blocks. What is positive by its nature, a time or a ratio, has the t interval of its logarithm. `./lab bench intervals`
 * simulates how often it contains the truth.
 * @param scale "linear" for what may be negative: differences and percentages
 * @returns null below five blocks, and where half of the resamples have no value or one is endless
 */
export const interval95 = (estimate: Estimate, scale: Scale): Interval | null => intervalOf(estimate, scale, 0.05);

/** The same, of another confidence. @param misses the share of intervals that may miss the truth: 0.05 of those of 95% */
export function intervalOf({ value, resampled, blocks }: Estimate, scale: Scale, misses: number): Interval | null {
  if (tooFewBlocks(blocks)) return null;
  const [to, from] = scale === "linear" ? [Number, Number] : [Math.log, Math.exp];
  const known = [...resampled].filter((one) => !Number.isNaN(one));
  const sorted = known.map(to).sort((a, b) => a - b);
  if (known.length <= resampled.length / 2) return null;
  if (![to(value), sorted[0], sorted.at(-1)].every(Number.isFinite)) return null;
  const correction = Math.sqrt(blocks / (blocks - 1));
  const t = jstat.studentt.inv(1 - misses / 2, blocks - 1);
  const half = t * Math.sqrt(variance(sorted)) * correction;
  const tail = jstat.normal.cdf(-t * correction, 0, 1);
  return {
    low: from(Math.min(to(value) - half, quantileSorted(sorted, tail))),
    high: from(Math.max(to(value) + half, quantileSorted(sorted, 1 - tail))),
  };
}
