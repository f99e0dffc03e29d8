/** A window's sizes, acknowledgment by acknowledgment, as Linux's rules have them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Acknowledgment, Cubic } from "./cubic.ts";

const acknowledgment = (nowUs: number, rttMs: number, news: Partial<Acknowledgment> = {}): Acknowledgment => ({
  nowUs,
  rttUs: 1000 * rttMs,
  packets: 1,
  acknowledgedTo: 2,
  sentTo: 1e6,
  isLimited: true,
  ...news,
});

/** After a round of round trips of one length, a round of another, `gapUs` apart. */
function afterRounds(firstMs: number, secondMs: number, gapUs: number, acknowledgments: number, hystart = true): Cubic {
  const window = new Cubic(16, hystart);
  window.acknowledged(acknowledgment(0, firstMs, { sentTo: 1000 }));
  for (let i = 1; i <= acknowledgments; i++)
    window.acknowledged(acknowledgment(100_000 + i * gapUs, secondMs, { acknowledgedTo: 1001 }));
  return window;
}

test("slow start grows by what is acknowledged, while the window is what limits", () => {
  const window = new Cubic(10, true);
  window.acknowledged(acknowledgment(0, 100, { packets: 10 }));
  assert.equal(window.packets, 20);
  window.acknowledged(acknowledgment(0, 100, { packets: 10, isLimited: false }));
  assert.equal(window.packets, 20);
});

test("HyStart ends slow start when a round's first eight tell an eighth more delay, 4 to 16 ms", () => {
  const ended = (...rounds: Parameters<typeof afterRounds>) => afterRounds(...rounds).threshold < Infinity;
  assert.deepEqual(
    [ended(100, 113, 3000, 9), ended(100, 112, 3000, 9), ended(100, 113, 3000, 8)],
    [true, false, false],
  );
  assert.deepEqual([ended(20, 23.9, 3000, 9), ended(20, 24.1, 3000, 9)], [false, true]);
  assert.deepEqual([ended(200, 216.1, 3000, 9), ended(100, 113, 3000, 9, false)], [true, false]);
});

test("or when a train of acknowledgments, 2 ms apart at most, lasts half a round trip", () => {
  const at = (acknowledgments: number, gapUs: number) => afterRounds(100, 100, gapUs, acknowledgments).threshold;
  assert.deepEqual([at(51, 1000), at(60, 2001)], [Infinity, Infinity]);
  assert.ok(at(52, 1000) < Infinity);
});

test("a loss leaves 717 of 1024, and the window is where it was after the cube root of what it lost over 0.4", () => {
  const window = new Cubic(100, false);
  window.packets = window.lost();
  assert.equal(window.packets, 70);
  // 30 packets below: (30 / 0.4) ** (1/3) = 4.2 s.
  for (let ms = 0; ms <= 4200; ms += 100)
    window.acknowledged(acknowledgment(1000 * ms, 100, { packets: window.packets }));
  assert.ok(Math.abs(window.packets - 100) <= 1, `${window.packets}`);
});
