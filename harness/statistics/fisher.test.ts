import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceOfSoMany } from "./fisher.ts";

const chance = (first: number, second: number, of = 10) =>
  chanceOfSoMany({ having: first, of }, { having: second, of });
const near = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-9, `${value}`);

test("chanceOfSoMany returns a tail probability of the hypergeometric distribution", () => {
  near(chance(0, 5), 252 / 15504); // C(10, 5) of C(20, 5)
  near(chance(0, 6), 210 / 38760);
  near(chance(1, 3), (10 * 120 + 210) / 4845);
  near(chanceOfSoMany({ having: 0, of: 5 }, { having: 1, of: 10 }), 10 / 15);
});

test("chanceOfSoMany returns 1 if the second sample has the smallest possible number of loads with the property", () => {
  near(chance(0, 0), 1);
  near(chance(10, 10), 1);
  near(chance(10, 0), 1);
});
