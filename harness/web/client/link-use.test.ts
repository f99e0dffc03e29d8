import assert from "node:assert/strict";
import { test } from "node:test";
import { barsOf } from "./link-use.ts";

test("in each step, the bar of background flows is stacked on the page's bar, both in Mb/s", () => {
  // 125,000 bytes in 100 ms are 10 Mb/s.
  assert.deepEqual(barsOf({ page: [50_000, 12_500, 125_000], background: [50_000, 100_000] }, 100), [
    { fromMs: 0, toMs: 100, from: 0, to: 4, who: "page" },
    { fromMs: 0, toMs: 100, from: 4, to: 8, who: "background" },
    { fromMs: 100, toMs: 200, from: 0, to: 1, who: "page" },
    { fromMs: 100, toMs: 200, from: 1, to: 9, who: "background" },
    { fromMs: 200, toMs: 300, from: 0, to: 10, who: "page" },
  ]);
});

test("without background flows there are only the page's bars", () =>
  assert.deepEqual(barsOf({ page: [0, 1250], background: [] }, 100), [
    { fromMs: 100, toMs: 200, from: 0, to: 0.1, who: "page" },
  ]));
