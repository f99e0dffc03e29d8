import assert from "node:assert/strict";
import { test } from "node:test";
import { carriedSince } from "./received-bytes.ts";

test("the line of bytes that a link could carry rises at the link's rates, until the end time or the largest value", () => {
  const rates = { fromMs: [0, 300, 800], mbps: [8, 0, 16] };
  const until = (endMs: number, mostKilobytes: number) => carriedSince(rates, 200, { endMs, mostKilobytes });
  const before = [
    [200, 0],
    [300, 100],
  ];
  assert.deepEqual(until(1000, 900), [...before, [800, 100], [1000, 500]]);
  assert.deepEqual(until(1000, 300), [...before, [800, 100], [900, 300]]);
  assert.deepEqual(until(1000, 100), before); // an outage follows
  assert.deepEqual(until(250, 300), [
    [200, 0],
    [250, 50],
  ]);
});
