import assert from "node:assert/strict";
import { test } from "node:test";
import { carriedSince } from "./received-bytes.ts";

test("carriedSince adds up what a link could carry at its rates, until the end time or a limit in kilobytes", () => {
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
