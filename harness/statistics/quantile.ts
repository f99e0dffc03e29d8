/** Quantiles of samples that may include Infinity (times longer than could be measured). Between a finite value and Infinity they are Infinity. */

/**
 * Returns a quantile of type 7 of Hyndman and Fan (Sample Quantiles in Statistical Packages, The American Statistician 50, 1996): the value at
 * rank 1 + (n - 1) * share, interpolated. R, NumPy and spreadsheets compute this type by default. @param share 0.9 for the 90% quantile
 */
export const quantile = (values: Iterable<number>, share: number): number =>
  quantileSorted(Float64Array.from(values).sort(), share);

export function median(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).sort();
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new Error("a median needs at least one value");
  return (low + high) / 2;
}

export function quantileSorted(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) throw new Error("a quantile needs at least one value");
  if (!(share >= 0 && share <= 1)) throw new Error(`${share} is not a share from 0 to 1`);
  const rank = rankOf(sorted.length, share);
  return between(sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!, rank % 1);
}

/** Returns the rank of a quantile among this many sorted values, counted from 0. It is rounded, because 100 * 0.55 gives 55.00000000000001. */
export const rankOf = (count: number, share: number): number => Number(((count - 1) * share).toFixed(9));

/** Interpolates. The last formula alone would give NaN if `low` is infinite, and medians whose last digit may differ from other programs' medians. */
export function between(low: number, high: number, part: number): number {
  if (low === high || low === -Infinity) return low;
  return part === 0.5 ? (low + high) / 2 : low + part * (high - low);
}
