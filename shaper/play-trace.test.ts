import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { RateStep } from "../schema/rate-trace.ts";
import { changesFrom, play } from "./play-trace.ts";
import { changedLateMs, playedRates } from "./played-rates.ts";

const steps: RateStep[] = [
  [100, 8],
  [50, 2],
];

test("changesFrom starts at the offset, even within a step, and repeats the trace's steps", () => {
  const changes = changesFrom(steps, 120);
  assert.deepEqual(
    Array.from({ length: 4 }, () => changes.next().value),
    [
      { atMs: -20, mbps: 2 },
      { atMs: 30, mbps: 8 },
      { atMs: 130, mbps: 2 },
      { atMs: 180, mbps: 8 },
    ],
  );
});

test("a token bucket's rate changes at each step of the trace, from the offset on, until playing stops", async () => {
  const seen: { atMs: number; rate: string }[] = [];
  const begin = performance.now();
  const tc = async (commands: string[][]) => {
    for (const words of commands) seen.push({ atMs: performance.now() - begin, rate: words.join(" ") });
  };
  const link = {
    ...{ downMbps: 6, upMbps: 1, rttMs: 20, lossPercent: 0, queuePackets: 50, traceOffsetMs: 120 },
    trace: { name: "x", down: steps, up: [[1000, 1]] as RateStep[] },
  };
  const devices = { access: "a0", core: "c0" };
  const playing = await play(link, { devices, tc, failed: assert.fail });
  await sleep(100);
  playing.stop();
  const [fast, slow] = playedRates(steps, changedLateMs.real).map(([, mbps]) => `rate ${Math.round(mbps * 1e6)}bit`);
  const down = seen.filter(({ rate }) => rate.includes("dev a0"));
  assert.equal(seen.length - down.length, 1, "up has one rate");
  assert.equal(down.length, 2);
  assert.ok(down[0]!.rate.includes(slow!) && down[1]!.rate.includes(fast!), JSON.stringify(down));
  assert.ok(down.every(({ rate }) => /^qdisc change dev a0 parent 1:1 handle 10: tbf .* limit 50$/.test(rate)));
  assert.ok(down[1]!.atMs >= 30, `changed after ${down[1]!.atMs} ms`);
  await sleep(150);
  assert.equal(seen.length, 3, "no change after playing has stopped");
});

test("a token bucket is woken at the end of each slow step, because a packet may wait too long at the step's rate", async () => {
  const done: string[] = [];
  const tc = async (commands: string[][]) => void done.push(...commands.map((words) => words[7]!));
  const outage: RateStep[] = [
    [40, 8],
    [60, 0],
  ];
  const link = {
    ...{ downMbps: 3, upMbps: 1, rttMs: 20, lossPercent: 0, queuePackets: 50, traceOffsetMs: 0 },
    trace: { name: "x", down: outage, up: [[1000, 10]] as RateStep[] },
  };
  const wake = (direction: string) => void done.push(`wake ${direction}`);
  const playing = await play(link, { devices: { access: "a0", core: "c0" }, tc, wake, failed: assert.fail });
  while (done.length < 8) await sleep(5);
  assert.deepEqual([playing.waking("down"), playing.waking("up")], [1, 0], "in the delay line for half of the RTT");
  await sleep(link.rttMs / 2);
  playing.stop();
  assert.equal(playing.waking("down"), 0);
  const change = "10:";
  assert.deepEqual(done.slice(0, 8), [change, change, change, change, "wake down", change, change, "wake down"]);
});
