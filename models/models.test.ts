/** Compares the models with examples from the papers, or with results computed by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mathisMbps } from "./mathis.model.ts";
import { isOfPageLoads, sendingMs, type Transfer } from "./model.ts";
import { models } from "./registry.ts";
import { slowStartRounds } from "./slow-start.model.ts";
import { countedRounds } from "./slow-start-counted.model.ts";

/** The typical path in Dukkipati et al. (Google, CCR 2010) and in CS244: 1.2 Mb/s, 70 ms, segments of 1430 bytes. */
const usual: Transfer = {
  bytes: 10_500,
  segmentBytes: 1430,
  rttMs: 70,
  downMbps: 1.2,
  lossPercent: 0,
  initcwnd: 3,
  growth: 2,
};
function transferMs(name: string, transfer: Transfer): number | null {
  const model = models[name]!;
  assert.ok(!isOfPageLoads(model));
  return model.transferMs(transfer);
}
const segments = (count: number, initcwnd: number, growth: number) => ({
  ...usual,
  bytes: count * 1430,
  initcwnd,
  growth,
});
const near = (ours: number | null, expected: number, within = 1e-9) =>
  assert.ok(ours !== null && Math.abs(ours - expected) <= within, `${ours} is not ${expected}`);

test("an 8 KB transfer over 128 kb/s and 500 ms takes one round trip with initcwnd 10, and two with initcwnd 3 (CCR 2010, 4.1)", () => {
  const slow = { ...usual, bytes: 8000, rttMs: 500, downMbps: 0.128 };
  for (const rounds of [slowStartRounds, countedRounds]) {
    assert.equal(rounds({ ...slow, initcwnd: 10 }), 1);
    assert.equal(rounds({ ...slow, initcwnd: 3 }), 2);
  }
  near(transferMs("slow-start", { ...slow, initcwnd: 10 }), 500 + 500);
});

test("if ACKs are delayed, initcwnd 10 instead of 3 saves up to three round trips by the formula, four with whole segments (CCR 2010, 4.1)", () => {
  const saved = (rounds: typeof slowStartRounds) =>
    Array.from({ length: 1000 }, (_, i) => rounds(segments(i + 1, 3, 1.5)) - rounds(segments(i + 1, 10, 1.5)));
  assert.equal(Math.max(...saved(slowStartRounds)), Math.ceil(Math.log(10 / 3) / Math.log(1.5)));
  assert.equal(Math.max(...saved(slowStartRounds)), 3);
  // "In practice the savings can be up to four RTTs", because a window of whole segments grows more slowly.
  assert.equal(Math.max(...saved(countedRounds)), 4);
});

test("with initcwnd 3, one to four round trips carry up to 3, 9, 21 and 45 segments", () => {
  for (const [count, rounds] of [
    [3, 1],
    [4, 2],
    [9, 2],
    [10, 3],
    [21, 3],
    [22, 4],
    [45, 4],
    [46, 5],
  ] as const) {
    assert.equal(countedRounds(segments(count, 3, 2)), rounds, `${count} segments`);
    assert.equal(slowStartRounds(segments(count, 3, 2)), rounds, `${count} segments`);
  }
});

test("with an RTT of 5 s, 9 KB take two round trips with initcwnd 10 and three with initcwnd 3, handshake included: a third less (CS244, section 4)", () => {
  const latencyMs = (initcwnd: number) => {
    const transfer = { ...usual, bytes: 9000, rttMs: 5000, initcwnd };
    return transfer.rttMs + transferMs("slow-start", transfer)!;
  };
  near(latencyMs(3) - latencyMs(10), 5000);
  near((100 * 5000) / latencyMs(3), 33, 0.5);
});

test("equation (1) of CCR 2010 by hand: with initcwnd 3, 10.5 KB over 1.2 Mb/s and 70 ms take two round trips and 70 ms of sending", () => {
  near(sendingMs(usual), 70);
  near(transferMs("slow-start", usual), 210);
  near(transferMs("slow-start-counted", { ...usual, initcwnd: 10 }), 140);
});

test("Mathis by hand: 1460 bytes, 100 ms, 1% and an ACK for every packet give 11.68 kb * 13.1 / 0.1 s = 1.53 Mb/s", () => {
  const lossy = { ...usual, segmentBytes: 1460, rttMs: 100, lossPercent: 1 };
  near(mathisMbps(lossy), 1.53008, 1e-5);
  near(mathisMbps({ ...lossy, lossPercent: 4 }), 1.53008 / 2, 1e-5);
  near(mathisMbps({ ...lossy, rttMs: 50 }), 1.53008 * 2, 1e-5);
  near(mathisMbps({ ...lossy, growth: 1.5 }), (1.53008 * 0.93) / 1.31, 1e-5);
});

test("without loss the Mathis formula gives null, with loss slow start gives null; with little loss, the Mathis formula uses the link's rate", () => {
  assert.equal(transferMs("mathis", usual), null);
  assert.equal(transferMs("slow-start", { ...usual, lossPercent: 1 }), null);
  near(transferMs("mathis", { ...usual, lossPercent: 0.01, bytes: 1_500_000 }), 10_000);
});
