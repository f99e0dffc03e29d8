/**
 * An estimate, with its value in every resample of the blocks. Each resample draws the same blocks for all estimates, so that a number
 * that is computed from several of them has an interval, too. A load that never ended is known to be longer than its time-out; so each
 * estimate has the least and the most that it can be.
 */
import jstat from "jstat";
import { variance } from "simple-statistics";
import { quantileSorted } from "./quantile.ts";
import { type Interval, tooFewBlocks } from "./resample.ts";

export type Bound = "at least" | "at most";

/** A number, and what it is in each resample; NaN in one that has none of its blocks. */
export interface Resampled {
  value: number;
  resampled: Float64Array;
}

export interface Estimate {
  /** The same, unless loads never ended. */
  least: Resampled;
  most: Resampled;
  /** The number of blocks in the smallest of its samples. */
  blocks: number;
}

/** An estimate of which everything is known. */
export function exactly({ blocks, ...known }: Resampled & Pick<Estimate, "blocks">): Estimate {
  return { least: known, most: known, blocks };
}

export type Scale = "linear" | "logarithm";

/**
 * A new estimate, computed from the others value by value and resample by resample.
 * @param compute does not fall if one of its arguments grows, except for those that `falling` numbers: the second of a ratio or a difference
 */
export function combine(
  estimates: readonly Estimate[],
  compute: (values: number[]) => number,
  falling: readonly number[] = [],
): Estimate {
  const computed = (own: "least" | "most", other: "least" | "most"): Resampled => {
    const sides = estimates.map((estimate, i) => estimate[falling.includes(i) ? other : own]);
    return {
      value: compute(sides.map(({ value }) => value)),
      resampled: sides[0]!.resampled.map((_, i) => compute(sides.map(({ resampled }) => resampled[i]!))),
    };
  };
  const least = computed("least", "most");
  const isKnown = estimates.every((one) => one.least === one.most);
  return {
    least,
    most: isKnown ? least : computed("most", "least"),
    blocks: Math.min(...estimates.map(({ blocks }) => blocks)),
  };
}

export const ratioOf = (first: Estimate, second: Estimate): Estimate =>
  combine([first, second], ([a = 0, b = 0]) => a / b, [1]);

export const differenceOf = (first: Estimate, second: Estimate): Estimate =>
  combine([first, second], ([a = 0, b = 0]) => a - b, [1]);

/** What can be said of an estimate; `value` is null if that is nothing: of the ratio of two times that are both longer than a time-out. */
export interface Bounded {
  value: number | null;
  /** null if the value is known. */
  bound: Bound | null;
}

export function boundedValue(
  { least: { value: least }, most: { value: most } }: Record<"least" | "most", Pick<Resampled, "value">>,
  scale: Scale,
): Bounded {
  if (least === most) return { value: Number.isFinite(least) ? least : null, bound: null };
  if (Number.isFinite(most)) return { value: most, bound: "at most" };
  const isOpen = !Number.isFinite(least) || (scale === "logarithm" && least === 0);
  return isOpen || Number.isNaN(most) ? { value: null, bound: null } : { value: least, bound: "at least" };
}

/**
 * Each end is the wider one of two intervals, because neither alone is always wide enough. Student's t interval, with the standard
 * deviation of the resamples as standard error, is good for means, but too narrow for quantiles of loads that take one of few times. The
 * expanded percentile interval (Hesterberg, What Teachers Should Know about the Bootstrap, 2015) is good for quantiles, but too narrow for
 * means of few blocks. A time or a ratio, which is always positive, gets the interval of its logarithm. `./lab bench intervals` simulates
 * how often these intervals contain the truth.
 *
 * If so many resamples are infinite that the percentile is, because loads never ended, then that end is open: Infinity, or 0 for the lower
 * end of a ratio.
 * @param scale "linear" for values that may be negative: differences and percentages
 * @returns null below five blocks, if half of the resamples have no value, and if both ends are open
 */
export const interval95 = (estimate: Estimate, scale: Scale): Interval | null => intervalOf(estimate, scale, 0.05);

/** The same with another confidence. @param misses the share of intervals that may miss the truth: 0.05 for 95% intervals */
export function intervalOf({ least, most, blocks }: Estimate, scale: Scale, misses: number): Interval | null {
  if (tooFewBlocks(blocks)) return null;
  const [to, from] = scale === "linear" ? [Number, Number] : [Math.log, Math.exp];
  const [below, above] = [least, most].map(({ value, resampled }, i) =>
    endOf({ value: to(value), resampled: resampled.map(to) }, i === 0 ? -1 : 1, blocks, misses),
  ) as [number | null, number | null];
  if (below === null || above === null || (below === -Infinity && above === Infinity)) return null;
  return { low: from(below), high: from(above) };
}

function endOf({ value, resampled }: Resampled, side: 1 | -1, blocks: number, misses: number): number | null {
  const sorted = resampled.filter((one) => !Number.isNaN(one)).sort();
  if (sorted.length <= resampled.length / 2 || Number.isNaN(value) || value === -side * Infinity) return null;
  const { t, correction, tail } = expansion(blocks, misses);
  const percentile = quantileSorted(sorted, side < 0 ? tail : 1 - tail);
  const finite = sorted.filter(Number.isFinite);
  if (!Number.isFinite(value) || !Number.isFinite(percentile) || finite.length === 0) return side * Infinity;
  const half = t * Math.sqrt(variance([...finite])) * correction;
  return side < 0 ? Math.min(value - half, percentile) : Math.max(value + half, percentile);
}

/**
 * An interval by ranks alone, of values that may be infinite: times that are longer than could be measured. Only its percentile interval
 * is known, because such values have no standard deviation.
 */
export function rankInterval({ resampled, blocks }: Parameters<typeof exactly>[0], misses: number): Interval | null {
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
