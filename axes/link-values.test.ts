import assert from "node:assert/strict";
import { test } from "node:test";
import { mayOutlastSynTimer, outlastsSynTimer } from "./link-values.ts";

test("an RTT of 1 s outlasts the SYN timer, and an RTT of 700 ms may outlast it with a jitter of 300 ms", () => {
  const outlasts = (rttMs: number, jitterMs?: number) => {
    const link = { downMbps: 10, upMbps: 1, rttMs, lossPercent: 0, queuePackets: 50, ...(jitterMs && { jitterMs }) };
    return [outlastsSynTimer(link), mayOutlastSynTimer(link)];
  };
  assert.deepEqual(outlasts(1000), [true, true]);
  assert.deepEqual(outlasts(700), [false, false]);
  assert.deepEqual(outlasts(700, 100), [false, false]);
  assert.deepEqual(outlasts(700, 300), [false, true]);
});
