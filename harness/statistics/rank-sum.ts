/** The Mann-Whitney U test (Wilcoxon's rank-sum test), which tests whether one of two samples is usually larger than the other. */
import jstat from "jstat";

/**
 * Returns the probability that the ranks of two samples from one distribution differ at least as much as here. The test is two-sided. It uses the
 * normal approximation with mean ranks for ties and a continuity correction (H. Mann, D. Whitney, On a Test of Whether one of Two Random
 * Variables is Stochastically Larger than the Other, 1947). The approximation is close for five or more values on each side.
 */
export function rankSumP(first: readonly number[], second: readonly number[]): number {
  const [m, n] = [first.length, second.length];
  const all = [...first, ...second].sort((a, b) => a - b);
  const size = all.length;
  const counts = new Map<number, number>();
  for (const value of all) counts.set(value, (counts.get(value) ?? 0) + 1);
  const ranks = new Map<number, number>();
  let before = 0;
  for (const [value, count] of counts) {
    ranks.set(value, before + (count + 1) / 2);
    before += count;
  }
  const u = first.reduce((sum, value) => sum + ranks.get(value)!, 0) - (m * (m + 1)) / 2;
  const ties = [...counts.values()].reduce((sum, count) => sum + count ** 3 - count, 0);
  const variance = ((m * n) / 12) * (size + 1 - ties / (size * (size - 1)));
  if (!(variance > 0)) return 1;
  const z = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / Math.sqrt(variance);
  return 2 * (1 - jstat.normal.cdf(z, 0, 1));
}
