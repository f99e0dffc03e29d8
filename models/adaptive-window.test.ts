import assert from "node:assert/strict";
import { test } from "node:test";
import type { KnownConnection } from "../schema/known-client.ts";
import { adaptiveWindow } from "./adaptive-window.ts";

/** A path with an RTT of 100 ms and 1.2 Mb/s, whose bandwidth-delay product is ten segments. */
const calm: KnownConnection = {
  minRttMs: 100,
  rttMs: 105,
  deliveryMbps: 1.2,
  cwnd: 18,
  retransmittedSegments: 0,
  deliveredBytes: 30_000,
};
const queued = { ...calm, rttMs: 180 };

test("without earlier connections the window is the standard window, 10", () => assert.equal(adaptiveWindow([]), 10));

test("without a queue the window is the last connection's final window, or 10 if the final window was smaller", () => {
  assert.equal(adaptiveWindow([calm]), 18);
  assert.equal(adaptiveWindow([{ ...calm, cwnd: 6 }]), 10);
});

test("losses without a queue do not reduce the window below 10", () =>
  assert.equal(adaptiveWindow([{ ...calm, cwnd: 5, retransmittedSegments: 3 }]), 10));

test("with a queue the window is the minimum RTT times twice the measured rate; if the queue lost packets, the rate is not doubled", () => {
  assert.equal(adaptiveWindow([queued]), 21); // 2 x 1.2 Mb/s x 100 ms = 30,000 bytes
  assert.equal(adaptiveWindow([{ ...queued, retransmittedSegments: 1 }]), 10);
});

test("the window is at least 3 and at most 32 segments", () => {
  assert.equal(adaptiveWindow([{ ...queued, deliveryMbps: 0.05 }]), 3);
  assert.equal(adaptiveWindow([{ ...calm, cwnd: 300 }]), 32);
});

test("a connection's smoothed RTT is compared with the minimum RTT of all connections", () => {
  const behind = { ...queued, minRttMs: 180 };
  assert.equal(adaptiveWindow([behind]), 18, "a single connection with equal RTTs shows no queue");
  assert.equal(adaptiveWindow([behind, { ...queued, cwnd: 40 }]), 21);
});

test("after several connections, the window is the median of the windows computed for the single connections", () =>
  assert.equal(adaptiveWindow([calm, { ...calm, cwnd: 40 }, { ...queued, deliveryMbps: 0.05 }]), 18));
