import assert from "node:assert/strict";
import { test } from "node:test";
import { interactionOf, shapleyValues } from "./shapley.ts";

/** Makes a game for shapleyValues: a set of removed causes -> the difference that is left. @param left "01" is the difference without causes 0 and 1 */
const game =
  (left: Record<string, number>, count: number) =>
  (set: number): number => {
    const key = Array.from({ length: count }, (_, cause) => (set & (1 << cause) ? String(cause) : "")).join("");
    return left[key]!;
  };
const near = (some: number[], others: number[]) => {
  assert.equal(some.length, others.length);
  some.forEach((one, i) => {
    assert.ok(Math.abs(one - others[i]!) < 1e-9, `${some} and not ${others}`);
  });
};

test("if the effects of causes add up, each cause's share is its own effect", () => {
  const left = game({ "": 100, "0": 70, "1": 80, "01": 50 }, 2);
  near(shapleyValues(left, 2), [30, 20]);
  near([interactionOf(left, 2, [0, 1])], [0]);
});

test("two causes with a common effect have equal shares; their interaction is positive if both must be removed, negative if removing one is enough", () => {
  const left = game({ "": 100, "0": 100, "1": 100, "01": 20 }, 2);
  near(shapleyValues(left, 2), [40, 40]);
  near([interactionOf(left, 2, [0, 1])], [80]); // only removing both has an effect
  const either = game({ "": 100, "0": 20, "1": 20, "01": 20 }, 2);
  near(shapleyValues(either, 2), [40, 40]);
  near([interactionOf(either, 2, [0, 1])], [-80]);
});

test("two causes with the same effect have equal shares, and a cause without effect has a share of 0", () => {
  // Removing cause 0, cause 1 or both reduces the difference by 60. Cause 2 changes nothing.
  const of = (set: number) => 100 - (set & 0b011 ? 60 : 0);
  near(shapleyValues(of, 3), [30, 30, 0]);
});

test("the shares and the rest add up to the difference, whatever differences are left when causes are removed", () => {
  const numbers = Array.from({ length: 32 }, (_, set) => 1000 * Math.sin(7 * set + 1));
  const shares = shapleyValues((set) => numbers[set]!, 5);
  near([shares.reduce((sum, share) => sum + share, numbers[31]!)], [numbers[0]!]);
});

test("renumbering the causes does not change their shares", () => {
  const numbers = Array.from({ length: 8 }, (_, set) => 1000 * Math.cos(3 * set));
  const swapped = (set: number) => (set & 0b010) | ((set & 1) << 2) | (set >> 2);
  const [a, b, c] = shapleyValues((set) => numbers[set]!, 3);
  near(
    shapleyValues((set) => numbers[swapped(set)]!, 3),
    [c!, b!, a!],
  );
});

test("a cause's share is how much its removal reduces the difference, on average over all orders of removing the causes", () => {
  const numbers = Array.from({ length: 8 }, (_, set) => 1000 * Math.sin(5 * set + 2));
  const orders = [0, 1, 2].flatMap((a) => [0, 1, 2].flatMap((b) => (a === b ? [] : [[a, b, 3 - a - b]])));
  const sums = [0, 0, 0];
  for (const order of orders) {
    let set = 0;
    for (const cause of order) {
      sums[cause]! += (numbers[set]! - numbers[set | (1 << cause)]!) / orders.length;
      set |= 1 << cause;
    }
  }
  near(
    shapleyValues((set) => numbers[set]!, 3),
    sums,
  );
});
