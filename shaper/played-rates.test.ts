import assert from "node:assert/strict";
import { test } from "node:test";
import { fullFrameBytes, tracedBucketBytes } from "../schema/link.ts";
import { bytesBetween, type RateStep } from "../schema/rate-trace.ts";
import { changedLateMs, playedRates } from "./played-rates.ts";

/**
 * Models Linux's token bucket with a queue that is never empty: how many full packets leave in each step. Each new rate fills the bucket.
 * @param woken true: packets enter all the time, so a waiting packet leaves as soon as the bucket allows it. false: a waiting packet
 *   leaves when the rate before the change allows it
 */
function packetsThrough(played: readonly RateStep[], woken: boolean): number[] {
  let [startMs, nextMs] = [0, 0];
  return played.map(([ms, mbps]) => {
    const endMs = startMs + ms;
    if (woken) nextMs = startMs;
    let count = 0;
    let tokens = tracedBucketBytes(mbps);
    for (; nextMs < endMs; count++) {
      tokens -= fullFrameBytes;
      nextMs += (fullFrameBytes - tokens) / (125 * mbps);
      tokens = fullFrameBytes; // when the next packet leaves
    }
    startMs = endMs;
    return count;
  });
}

/** Compares, at the end of each step, how many packets have left and how many the trace carries until then. @returns the largest difference */
function mostOff(steps: readonly RateStep[], lateMs: number): number {
  const played = playedRates(steps, lateMs);
  let [atMs, sent, most] = [0, 0, 0];
  packetsThrough(played, true).forEach((count, i) => {
    atMs += played[i]![0];
    sent += count;
    most = Math.max(most, Math.abs(bytesBetween(steps, 0, atMs) / fullFrameBytes - sent));
  });
  return most;
}

test("a busy link is never more than two packets ahead of its trace or behind it", () => {
  const even = (count: number, ms: number, mbps: (i: number) => number): RateStep[] =>
    Array.from({ length: count }, (_, i) => [ms, mbps(i)]);
  const traces = {
    "a packet and a half in each step": even(100, 100, () => (1.5 * fullFrameBytes) / 12_500),
    "a packet in each third step": even(100, 100, () => fullFrameBytes / 37_500),
    "an outage between fast steps": even(40, 500, (i) => (i % 4 === 3 ? 0 : 20 + i)),
    "fast steps of 100 ms": even(200, 100, (i) => 10 + ((i * 37) % 50)),
    "long steps": even(4, 15_000, (i) => 20 + 13 * i),
  };
  for (const [name, steps] of Object.entries(traces))
    for (const lateMs of Object.values(changedLateMs)) {
      const off = mostOff(steps, lateMs);
      assert.ok(off <= 2, `${name}: ${off}`);
    }
});

test("without correction, steps of 100 ms carry too many packets, because each change of the rate fills the token bucket", () => {
  const steps: RateStep[] = Array.from({ length: 100 }, () => [100, 3.05]);
  const naive = packetsThrough(steps, true).reduce((sum, count) => sum + count, 0);
  const corrected = packetsThrough(playedRates(steps), true).reduce((sum, count) => sum + count, 0);
  const due = (125 * 3.05 * 10_000) / fullFrameBytes;
  assert.ok(naive > 1.01 * due, `${naive} of ${due}`);
  assert.ok(Math.abs(corrected - due) <= 2, `${corrected} of ${due}`);
});

test("if no entering packet wakes the token bucket, a step carries on average at most half a packet less", () => {
  const steps: RateStep[] = Array.from({ length: 100 }, (_, i) => [100, 5 + (i % 7)]);
  const [woken, asleep] = [true, false].map((all) =>
    packetsThrough(playedRates(steps), all).reduce((sum, count) => sum + count, 0),
  );
  assert.ok(woken! - asleep! <= 50 && asleep! >= 0.99 * woken!, `${asleep} instead of ${woken}`);
});
