/**
 * Shares of a difference among causes that may hide one another: the Shapley value (L. S. Shapley, A Value for n-Person Games, 1953). A cause's
 * share is what its removal takes from the difference, as a mean over all orders in which the causes can be removed. Shares and the rest add up
 * to the difference, two causes that do the same have equal shares, and a cause whose removal changes nothing has none.
 */
import { isRemoved, type Removed } from "../plan/why-plan.ts";

/** @param left a set of removed causes -> the difference that is left @param count the number of causes @returns each one's share, in the unit of the differences */
export const shapleyValues = (left: (removed: Removed) => number, count: number): number[] =>
  Array.from({ length: count }, (_, cause) =>
    sumOver(count, [cause], (set, weight) => weight * (left(set) - left(set | (1 << cause)))),
  );

/**
 * How much two causes take from the difference only together (M. Grabisch, M. Roubens, An axiomatic approach to the concept of interaction, 1999):
 * positive if the two together take more than the one and the other, negative if each can take the same.
 */
export const interactionOf = (
  left: (removed: Removed) => number,
  count: number,
  [first, second]: [number, number],
): number => {
  const [one, other] = [1 << first, 1 << second];
  return sumOver(
    count,
    [first, second],
    (set, weight) => weight * (left(set | one) + left(set | other) - left(set) - left(set | one | other)),
  );
};

/** Sums over the sets without these causes. The weights are the shares of the orders in which just such a set comes before them. */
function sumOver(count: number, without: number[], of: (set: Removed, weight: number) => number): number {
  const others = count - without.length;
  let sum = 0;
  for (let set = 0; set < 1 << count; set++) {
    if (without.some((cause) => isRemoved(set, cause))) continue;
    sum += of(set, 1 / ((others + 1) * choose(others, sizeOf(set))));
  }
  return sum;
}

function sizeOf(set: Removed): number {
  let size = 0;
  for (let left = set; left; left &= left - 1) size++;
  return size;
}

/** In how many ways k of n can be chosen. */
function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return Math.round(ways);
}
