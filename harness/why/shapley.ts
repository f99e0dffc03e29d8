/**
 * Divides a difference among causes that may hide one another, by the Shapley value (L. S. Shapley, A Value for n-Person Games, 1953). A
 * cause's share is how much its removal reduces the difference, as a mean over all orders in which the causes can be removed. Shares and the
 * rest add up to the difference. Two causes with the same effect have equal shares, and a cause without effect has a share of 0.
 */
import { factorial } from "simple-statistics";
import { isRemoved, type Removed } from "../plan/why-plan.ts";

/** @param left returns the difference that is left without a set of causes @param count the number of causes @returns each cause's share */
export const shapleyValues = (left: (removed: Removed) => number, count: number): number[] =>
  Array.from({ length: count }, (_, cause) =>
    sumOver(count, [cause], (set, weight) => weight * (left(set) - left(set | (1 << cause)))),
  );

/**
 * Returns how two causes interact (M. Grabisch, M. Roubens, An axiomatic approach to the concept of interaction, 1999): by how much more removing
 * both at once reduces the difference than both single removals do in total, as a mean over all orders in which one directly follows the other.
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

/** Sums over all sets without these causes. A set's weight is the share of orders in which exactly this set is removed before these causes. */
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

const choose = (n: number, k: number): number => factorial(n) / (factorial(k) * factorial(n - k));
