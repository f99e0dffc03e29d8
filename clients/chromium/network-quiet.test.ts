import assert from "node:assert/strict";
import { test } from "node:test";
import { networkQuiet } from "./network-quiet.ts";

/** @param requests when each request begins and ends, ms @returns how the recording ended, and when it ended */
async function quietOf(requests: [startMs: number, endMs: number][], limitMs: number) {
  let nowMs = 100; // the load event
  const sleep = async (ms: number) => {
    nowMs += ms;
  };
  const activity = {
    lastMs: () => Math.max(...requests.flat().filter((ms) => ms <= nowMs)),
    isActive: () => requests.some(([startMs, endMs]) => startMs <= nowMs && nowMs < endMs),
  };
  const recordedUntil = await networkQuiet(activity, limitMs, { now: () => nowMs, sleep });
  return { recordedUntil, endedMs: nowMs };
}

const quiet = (endedMs: number) => ({ recordedUntil: "quiet", endedMs });

test("the network counts as quiet two seconds after the load event or the last request, whichever is later", async () => {
  assert.deepEqual(await quietOf([[0, 50]], 60_000), quiet(2100));
  const chain: [number, number][] = [
    [0, 50],
    [60, 1500],
    [3499, 9000],
  ];
  assert.deepEqual(await quietOf(chain, 60_000), quiet(11_000));
  assert.deepEqual(await quietOf([...chain, [11_001, 12_000]], 60_000), quiet(11_000));
});

test("a page that polls, or has a request without end, is recorded until the time limit", async () => {
  const polls = Array.from({ length: 100 }, (_, i): [number, number] => [i * 1000, i * 1000 + 50]);
  assert.deepEqual(await quietOf(polls, 30_000), { recordedUntil: "limit", endedMs: 30_100 });
  const stalled: [number, number] = [90, Number.POSITIVE_INFINITY];
  assert.deepEqual(await quietOf([stalled], 30_000), { recordedUntil: "limit", endedMs: 30_100 });
});
