import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesBetween, carryingMs, longestCarryingMs, meanMbps, type RateStep, stepsBetween } from "./rate-trace.ts";

/** A second of 8 Mb/s (1,000 bytes a millisecond), half a second of 0, half a second of 4 Mb/s. */
const steps: RateStep[] = [
  [1000, 8],
  [500, 0],
  [500, 4],
];

test("a sequence of steps repeats, and also applies at negative times", () => {
  assert.equal(bytesBetween(steps, 0, 2000), 1_250_000);
  assert.equal(bytesBetween(steps, 900, 1100), 100_000);
  assert.equal(bytesBetween(steps, 1900, 2100), 50_000 + 100_000);
  assert.equal(bytesBetween(steps, -100, 100), 50_000 + 100_000);
  assert.equal(bytesBetween(steps, 20_900, 24_900), 2 * 1_250_000);
  assert.deepEqual(
    [...stepsBetween(steps, 1400, 2100)].map(({ ms, step }) => [ms, step[1]]),
    [
      [100, 0],
      [500, 4],
      [100, 8],
    ],
  );
  assert.equal(meanMbps(steps), 5);
});

test("carryingMs is the time in which the steps carry the given bytes from a start time on; it is infinite if all rates are 0", () => {
  assert.equal(carryingMs(steps, 1000, 0), 1);
  assert.equal(carryingMs(steps, 1000, 1000), 500 + 2);
  assert.equal(carryingMs(steps, 1_250_000, 300), 2000);
  assert.equal(carryingMs(steps, 0, 1200), 0);
  assert.equal(carryingMs([[10, 0]], 1, 0), Number.POSITIVE_INFINITY);
});

test("longestCarryingMs finds intervals that begin with a slow step, and intervals that end with one", () => {
  assert.equal(longestCarryingMs(steps, 1000), 502);
  // The slow step carries 250 bytes a millisecond, so 25,000 bytes take all of its 100 ms.
  const slow: RateStep[] = [
    [100, 80],
    [100, 2],
    [100, 40],
  ];
  assert.equal(longestCarryingMs(slow, 25_000), 100);
  const every = Array.from({ length: 300 }, (_, ms) => carryingMs(slow, 200_000, ms));
  assert.ok(longestCarryingMs(slow, 200_000) >= Math.max(...every));
});
