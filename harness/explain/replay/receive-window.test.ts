/** How far a Linux client lets its server send: the numbers follow by hand from the rules of tcp_input.c. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asTold, LinuxWindow } from "./receive-window.ts";

/** Full segments that come in order, so many at each moment, each echoing what was sent 100 ms before. */
function windowAfter(...flights: { atMs: number; segments: number }[]): number {
  const window = new LinuxWindow({ to: 1, window: 64_240 });
  let to = 1;
  for (const { atMs, segments } of flights)
    for (let i = 0; i < segments; i++) {
      to += 1448;
      const nowUs = 1000 * atMs + 10 * i;
      window.came({ nowUs, bytes: 1448, echoedUs: nowUs - 100_000, to, beyondBytes: 0, beyondTo: to });
    }
  return window.roomTo(to) - to;
}

test("each segment lets the window grow by two, told in units of 512 bytes", () =>
  assert.equal(windowAfter({ atMs: 0, segments: 3 }), 143 * 512)); // 64,240 + 3 x 2,896 = 72,928

test("as far as the buffer of 128 KiB, of which a segment of 1,448 bytes takes 2,304", () =>
  assert.equal(windowAfter({ atMs: 0, segments: 30 }), 161 * 512));

// The 20 segments after the first are 28,960 bytes, where 14,600 are taken for a round before: there is room for twice that, and
// for four times that by how much it grew, 171,857. The first of the second flight still finds 82,432; 19 more add 55,024.
test("a round trip that took more than those before makes the buffer larger", () =>
  assert.equal(windowAfter({ atMs: 0, segments: 20 }, { atMs: 101, segments: 20 }), 269 * 512));

test("what lies beyond a gap takes room, and what was offered is never taken back", () => {
  const window = new LinuxWindow({ to: 1, window: 64_240 });
  const offered = window.roomTo(1);
  for (let i = 2; i < 40; i++) {
    const beyondBytes = 1448 * (i - 1);
    window.came({ nowUs: i, bytes: 1448, echoedUs: i - 100_000, to: 1, beyondBytes, beyondTo: 1449 + beyondBytes });
  }
  assert.ok(window.roomTo(1) >= offered, `${window.roomTo(1)} after ${offered}`);
});

test("where the rules are not known the window is the one that was told", () => {
  const window = asTold([
    { to: 1, window: 1000 },
    { to: 500, window: 3000 },
  ]);
  assert.deepEqual([window.roomTo(1), window.roomTo(600)], [1001, 3600]);
});
