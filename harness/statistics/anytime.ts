/**
 * Tests and intervals for the mean of values that arrive one after another. They hold at every look: anyone may look after each value, and
 * stop when the answer is clear. An interval for a number of values that was fixed before does not allow this.
 *
 * The values are assumed to be independent and normal, with a deviation that is not known. The evidence against the mean m is a likelihood
 * ratio that depends on the values only by their ratios: the deviation is integrated out by its right Haar measure, and the distance of the
 * true mean from m, in deviations, has the normal distribution N(0, 1 / c²). If the mean is m, this evidence starts at 1 and is a martingale.
 * So by Ville's inequality it ever reaches 1 / misses with a probability of at most `misses` (T. L. Lai, On confidence sequences, The Annals
 * of Statistics 4, 1976; H. Wang, A. Ramdas, Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance,
 * arXiv 2310.03722).
 *
 * In simulations of 200 looks, the evidence reaches 20 in 2% of samples of normal values, and in 1% for differences of two log-normal times
 * (sigma 0.6), which are symmetric. Single log-normal times are skewed: 3% with sigma 0.3, and 7% with sigma 0.6, too skewed for this method.
 */
import { mean as meanOf } from "simple-statistics";
import type { Interval } from "./resample.ts";

/** What is needed of the values so far. */
export interface Moments {
  count: number;
  /** In the values' unit, as are all other numbers here without a unit. */
  mean: number;
  /** The sum of the squared distances from the mean. */
  squares: number;
}

/**
 * @param resolution the instrument's resolution: values that are closer together are not known to differ. The deviation counts as this much
 *   or more, which only reduces the evidence and widens the interval. Without it, a few equal values would be proof of their mean.
 * @throws Error without values, and if a value is not finite
 */
export function momentsOf(values: readonly number[], resolution = 0): Moments {
  if (!values.every(Number.isFinite)) throw new Error("moments need finite values");
  const mean = meanOf([...values]);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { count: values.length, mean, squares: Math.max(squares, (values.length - 1) * resolution ** 2) };
}

/**
 * c² of the evidence: if the mean is not m, it is assumed to be about 10 deviations from m, as differences are on links without random loss.
 * So four values can exclude means with an error of 1 in 1000, for which c² = 1 would need eight. The price is an interval that is 14% wider than
 * with c² = 1 after 20 values.
 */
const cSquared = 0.01;

/**
 * All means against which the evidence E is below 1 / misses: E = sqrt(c² / (n + c²)) * (V / (V - S² / (n + c²)))^(n / 2), where S is the sum of
 * the n values' distances from the mean in question, and V the sum of their squares. The true mean is in the intervals of all looks together with a probability of 1 - misses.
 * The interval's upper end is below m if and only if the evidence that the mean is below m has reached 1 / misses.
 * @param misses 0.05 for a confidence of 95%
 * @returns both ends infinite while there are too few values to exclude any mean
 */
export function anytimeInterval({ count: n, mean, squares }: Moments, misses: number): Interval {
  // E < 1 / misses, solved for the mean's squared distance from m; `most` is how large V / (V - S² / (n + c²)) may be.
  const most = ((n + cSquared) / (cSquared * misses ** 2)) ** (1 / n);
  const left = 1 - (most * cSquared) / (n + cSquared);
  const half = left > 0 ? Math.sqrt(((most - 1) * squares) / (n * left)) : Infinity;
  return { low: mean - half, high: mean + half };
}
