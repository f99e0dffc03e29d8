import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowTraceView } from "../data/trace-view.ts";
import { barsOf } from "./link-use.ts";

const rates = { fromMs: [0], mbps: [10] };
const flow = (at: number[], bytes: number[]) => ({ arrivals: { at, bytes } }) as FlowTraceView;

test("in each step the page's bar is below that of the flows beside it, both in Mb/s", () => {
  // 125,000 bytes in 100 ms are 10 Mb/s; times are in tenths of a millisecond.
  const flows = [flow([0, 999, 1000], [25_000, 25_000, 12_500]), flow([2500], [125_000])];
  assert.deepEqual(barsOf({ flows }, { rates, stepMs: 100, background: [50_000, 100_000] }), [
    { fromMs: 0, toMs: 100, from: 0, to: 4, who: "page" },
    { fromMs: 0, toMs: 100, from: 4, to: 8, who: "background" },
    { fromMs: 100, toMs: 200, from: 0, to: 1, who: "page" },
    { fromMs: 100, toMs: 200, from: 1, to: 9, who: "background" },
    { fromMs: 200, toMs: 300, from: 0, to: 10, who: "page" },
  ]);
});

test("without flows beside the page there are only its own bars", () => {
  const bars = barsOf({ flows: [flow([10], [1250])] }, { rates, stepMs: 100, background: [] });
  assert.deepEqual(bars, [{ fromMs: 0, toMs: 100, from: 0, to: 0.1, who: "page" }]);
});
