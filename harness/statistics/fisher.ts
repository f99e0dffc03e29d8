/** Fisher's exact test of two shares, such as the shares of two conditions' loads that never ended. */

/** `having` of `of` loads have some property. */
export interface Share {
  having: number;
  of: number;
}

/**
 * Returns the probability that `second` gets at least `second.having` loads with the property, if only chance decides which loads with the
 * property are in `first` and which in `second`. This is the tail of the hypergeometric distribution.
 */
export function chanceOfSoMany(first: Share, second: Share): number {
  const [having, all] = [first.having + second.having, first.of + second.of];
  const total = logChoose(all, having);
  let chance = 0;
  for (let own = second.having; own <= Math.min(second.of, having); own++)
    if (having - own <= first.of)
      chance += Math.exp(logChoose(second.of, own) + logChoose(first.of, having - own) - total);
  return Math.min(1, chance);
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}
