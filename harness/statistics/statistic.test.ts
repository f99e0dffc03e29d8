import assert from "node:assert/strict";
import { test } from "node:test";
import { parseStatistic } from "./statistic.ts";

test("the geometric mean of many loads, whose product is beyond all numbers", () => {
  const values = Array.from({ length: 400 }, (_, i) => (i % 2 ? 100 : 10_000));
  assert.ok(Math.abs(parseStatistic("geometric mean")!.of(values) - 1000) < 1e-6);
});
