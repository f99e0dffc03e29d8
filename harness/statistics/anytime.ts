/**
 * Tests and intervals for the mean of values that arrive one after another. They hold at every look: anyone may look after each value, and stop
 * when the answer is clear. An interval for a fixed number of values allows only one look.
 *
 * The values are assumed to be independent and normal, with an unknown standard deviation. The evidence against the mean m is a likelihood
 * ratio that depends on the values only through their ratios, because the deviation is integrated out by its right Haar measure. The distance of
 * the true mean from m, in standard deviations, is assumed to be distributed as N(0, 1 / c²). If the mean is m, this evidence starts at 1 and
 * is a martingale. So by Ville's inequality, the probability that it ever reaches 1 / misses is at most `misses` (T. L. Lai, On confidence
 * sequences, The Annals of Statistics 4, 1976; H. Wang, A. Ramdas, Anytime-valid t-tests and confidence sequences for Gaussian means with
 * unknown variance, arXiv 2310.03722).
 *
 * In simulations of 200 looks, the evidence reaches 20 in 2% of samples of normal values, in 1% for differences of two log-normal times with
 * sigma 0.6, and in 3% for log-normal times with sigma 0.3. Log-normal times with sigma 0.6 (7%) are too skewed for this method.
 */
import { mean as meanOf } from "simple-statistics";
import type { Interval } from "./resample.ts";

/** A summary of the values so far. */
export interface Moments {
  count: number;
  mean: number;
  /** The sum of the squared distances from the mean. */
  squares: number;
}

/**
 * @param resolution the instrument's resolution: values that differ by less may be equal. The deviation is assumed to be at least this
 *   much, which only reduces the evidence and widens the interval. Without a resolution, a few equal values would be proof of their mean.
 * @throws Error without values, and if a value is not finite
 */
export function momentsOf(values: readonly number[], resolution = 0): Moments {
  if (!values.every(Number.isFinite)) throw new Error("moments need finite values, but a value is infinite or NaN");
  const mean = meanOf([...values]);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { count: values.length, mean, squares: Math.max(squares, (values.length - 1) * resolution ** 2) };
}

/**
 * c² of the evidence. A true mean other than m is assumed to be about 10 standard deviations from m, which is typical without random loss. So four
 * values are enough to exclude a mean with an error probability of 1 in 1000; with c² = 1, eight would be needed. But after 20 values, the
 * interval is 14% wider than with c² = 1.
 */
const cSquared = 0.01;

/**
 * Returns all means m against which the evidence E is below 1 / misses. E = sqrt(c² / (n + c²)) * (V / (V - S² / (n + c²)))^(n / 2), where S is
 * the sum of the n values' distances from m, and V is the sum of the squared distances. The probability that the intervals of all looks contain
 * the true mean is at least 1 - misses.
 * @param misses 0.05 for a confidence of 95% @returns both ends infinite while there are too few values to exclude any mean
 */
export function anytimeInterval({ count: n, mean, squares }: Moments, misses: number): Interval {
  // E < 1 / misses, solved for the mean's squared distance from m; `most` is how large V / (V - S² / (n + c²)) may be.
  const most = ((n + cSquared) / (cSquared * misses ** 2)) ** (1 / n);
  const left = 1 - (most * cSquared) / (n + cSquared);
  const half = left > 0 ? Math.sqrt(((most - 1) * squares) / (n * left)) : Infinity;
  return { low: mean - half, high: mean + half };
}
