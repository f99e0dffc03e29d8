import assert from "node:assert/strict";
import { test } from "node:test";
import { firstArrivals } from "./first-arrivals.ts";

const range = (from: number, to: number, arrivedUs: number) => ({ from, to, arrivedUs, place: arrivedUs });

test("bytes that arrive again keep the time of their first arrival", () =>
  assert.deepEqual(firstArrivals([range(0, 10, 1), range(20, 30, 2), range(5, 40, 3)]), [
    range(0, 10, 1),
    { ...range(5, 40, 3), from: 10, to: 20 },
    range(20, 30, 2),
    { ...range(5, 40, 3), from: 30, to: 40 },
  ]));

test("bytes after a gap that never closes are left out", () =>
  assert.deepEqual(firstArrivals([range(0, 10, 1), range(11, 20, 2)]), [range(0, 10, 1)]));
