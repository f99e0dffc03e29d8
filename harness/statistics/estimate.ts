/**
 * An estimate, with its value in every resample of the blocks. Each resample draws the same blocks for all estimates, so a number that is
 * computed from several estimates has an interval, too. A load that never ended took longer than its time-out, so each estimate has a lower
 * and an upper bound.
 */
import jstat from "jstat";
import { variance } from "simple-statistics";
import { quantileSorted } from "./quantile.ts";
import { type Interval, tooFewBlocks } from "./resample.ts";

export type Bound = "at least" | "at most";

/** A number, and its value in each resample; NaN in a resample that has no block of the number's sample. */
export interface Resampled {
  value: number;
  resampled: Float64Array;
}

export interface Estimate {
  /** The lower bound. It equals `most` if all loads ended. */
  least: Resampled;
  most: Resampled;
  /** The number of blocks in the smallest sample that the estimate is computed from. */
  blocks: number;
}

export function exactly({ blocks, ...known }: Resampled & Pick<Estimate, "blocks">): Estimate {
  return { least: known, most: known, blocks };
}

export type Scale = "linear" | "logarithm";

/**
 * Computes an estimate from other estimates: its value from their values, and its value in a resample from their values in the same resample.
 * @param compute must not keep its argument; if a value grows, the result must not fall, except if `falling` lists the value
 * @param falling indexes of values that make the result smaller if they grow, such as the second value of a ratio or a difference
 */
export function combine(
  estimates: readonly Estimate[],
  compute: (values: number[]) => number,
  falling: readonly number[] = [],
): Estimate {
  const computed = (own: "least" | "most", other: "least" | "most"): Resampled => {
    const sides = estimates.map((estimate, i) => estimate[falling.includes(i) ? other : own]);
    let drawn: Float64Array | null = null;
    return {
      value: compute(sides.map(({ value }) => value)),
      /** Computed on demand, because for an extreme over many scenarios only the value is needed. */
      get resampled() {
        drawn ??= resampledBy(compute, sides);
        return drawn;
      },
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

/** Passes values in the same array each time, because thousands of new arrays would take longer than all computations. */
function resampledBy(compute: (values: number[]) => number, sides: readonly Resampled[]): Float64Array {
  const columns = sides.map(({ resampled }) => resampled);
  const values: number[] = new Array(columns.length).fill(0);
  return columns[0]!.map((_, draw) => {
    for (let i = 0; i < columns.length; i++) values[i] = columns[i]![draw]!;
    return compute(values);
  });
}

/** Caches the result for each pair of estimates, because many claims share a scenario. */
function keptOf(compute: (a: number, b: number) => number): (first: Estimate, second: Estimate) => Estimate {
  const kept = new WeakMap<Estimate, WeakMap<Estimate, Estimate>>();
  return (first, second) => {
    const own = kept.get(first) ?? new WeakMap<Estimate, Estimate>();
    const estimate = own.get(second) ?? combine([first, second], ([a = 0, b = 0]) => compute(a, b), [1]);
    kept.set(first, own.set(second, estimate));
    return estimate;
  };
}

export const ratioOf = keptOf((a, b) => a / b);
export const differenceOf = keptOf((a, b) => a - b);

/** What is known of an estimate. `value` is null if nothing is known, as for the ratio of two times that are both longer than a time-out. */
export interface Bounded {
  value: number | null;
  /** null if the value is exact, or if nothing is known. */
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
 * Returns the 95% interval. Each end is the outer one of two intervals' ends, because neither interval alone is always wide enough: Student's t
 * interval, with the standard deviation of the resamples as standard error, is good for means, but too narrow for quantiles if times have only a
 * few different values. The expanded percentile interval (Hesterberg, What Teachers Should Know about the Bootstrap, 2015) is good for quantiles,
 * but too narrow for means of few blocks. A time or a ratio, which is always positive, gets the interval of its logarithm. An end whose percentile
 * is infinite, because loads never ended, is open: infinite, or 0 for the lower end of a ratio. `./lab bench intervals` simulates how often these
 * intervals contain the truth.
 * @param scale "linear" for values that may be negative: differences and percentages
 * @returns null below five blocks, if half of the resamples have no value, and if both ends are open
 */
export const interval95 = (estimate: Estimate, scale: Scale): Interval | null => intervalOf(estimate, scale, 0.05);

/** Like `interval95`, for any confidence level. @param misses the share of intervals that may miss the truth: 0.05 for 95% intervals */
export function intervalOf({ least, most, blocks }: Estimate, scale: Scale, misses: number): Interval | null {
  if (tooFewBlocks(blocks)) return null;
  const [below, above] = [endOf(least, scale, -1, blocks, misses), endOf(most, scale, 1, blocks, misses)];
  if (below === null || above === null || (below === -Infinity && above === Infinity)) return null;
  const from = scale === "linear" ? Number : Math.exp;
  return { low: from(below), high: from(above) };
}

/** What the ends of intervals are computed from, for any confidence level. */
interface Spread {
  value: number;
  /** The resamples that have a value. */
  sorted: Float64Array;
  /** The standard deviation of the finite resamples; null without any. */
  deviation: number | null;
}
const spreads: Record<Scale, WeakMap<Resampled, Spread>> = { linear: new WeakMap(), logarithm: new WeakMap() };

/** Cached, because an extreme over many scenarios needs several intervals of each scenario. */
function spreadOf(one: Resampled, scale: Scale): Spread {
  const known = spreads[scale].get(one);
  if (known) return known;
  const to = scale === "linear" ? Number : Math.log;
  const sorted = one.resampled
    .map(to)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const finite = [...sorted.filter(Number.isFinite)];
  const spread = { value: to(one.value), sorted, deviation: finite.length ? Math.sqrt(variance(finite)) : null };
  spreads[scale].set(one, spread);
  return spread;
}

function endOf(one: Resampled, scale: Scale, side: 1 | -1, blocks: number, misses: number): number | null {
  const { value, sorted, deviation } = spreadOf(one, scale);
  if (sorted.length <= one.resampled.length / 2 || Number.isNaN(value) || value === -side * Infinity) return null;
  const { t, correction, tail } = expansion(blocks, misses);
  const percentile = quantileSorted(sorted, side < 0 ? tail : 1 - tail);
  if (!Number.isFinite(value) || !Number.isFinite(percentile) || deviation === null) return side * Infinity;
  const half = t * deviation * correction;
  return side < 0 ? Math.min(value - half, percentile) : Math.max(value + half, percentile);
}

/**
 * Returns the percentile interval, which needs only ranks, for values that may be infinite: times longer than could be measured. In 1 of 2^(n-1)
 * samples, all n values are on one side of the true median, so that even the interval from the smallest to the largest value misses the median.
 * @returns null below five blocks, and if this share of samples is larger than `misses`
 */
export function rankInterval({ resampled, blocks }: Parameters<typeof exactly>[0], misses: number): Interval | null {
  if (tooFewBlocks(blocks) || 2 ** (1 - blocks) > misses) return null;
  const sorted = resampled.toSorted();
  const outside = Math.floor(expansion(blocks, misses).tail * (sorted.length - 1));
  return { low: sorted[outside]!, high: sorted[sorted.length - 1 - outside]! };
}

/** Returns Student's t for this many blocks, and the share of resamples (`tail`) that an interval leaves out at each end. */
function expansion(blocks: number, misses: number) {
  const correction = Math.sqrt(blocks / (blocks - 1));
  const t = jstat.studentt.inv(1 - misses / 2, blocks - 1);
  return { t, correction, tail: jstat.normal.cdf(-t * correction, 0, 1) };
}
