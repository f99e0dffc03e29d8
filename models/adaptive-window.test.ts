import assert from "node:assert/strict";
import { test } from "node:test";
import type { KnownConnection } from "../schema/known-client.ts";
import { adaptiveWindow } from "./adaptive-window.ts";

/** 100 ms away, at 1.2 Mb/s: the path holds ten segments. */
const calm: KnownConnection = {
  minRttMs: 100,
  rttMs: 105,
  deliveryMbps: 1.2,
  cwnd: 18,
  retransmittedSegments: 0,
  deliveredBytes: 30_000,
};
const queued = { ...calm, rttMs: 180 };

test("of a client that nothing is known of, the standard's", () => assert.equal(adaptiveWindow([]), 10));

test("where no queue was, as many as the path carried, and never fewer than the standard's", () => {
  assert.equal(adaptiveWindow([calm]), 18);
  assert.equal(adaptiveWindow([{ ...calm, cwnd: 6 }]), 10);
});

test("losses without a queue are the path's own", () =>
  assert.equal(adaptiveWindow([{ ...calm, cwnd: 5, retransmittedSegments: 3 }]), 10));

test("where a queue was, what the path holds: twice the rate that one flight showed, once where the queue overflowed", () => {
  assert.equal(adaptiveWindow([queued]), 21); // 2 x 1.2 Mb/s x 100 ms = 30,000 bytes
  assert.equal(adaptiveWindow([{ ...queued, retransmittedSegments: 1 }]), 10);
});

test("a slow client gets three segments at least, a fast one 32 at most", () => {
  assert.equal(adaptiveWindow([{ ...queued, deliveryMbps: 0.05 }]), 3);
  assert.equal(adaptiveWindow([{ ...calm, cwnd: 300 }]), 32);
});

test("a path's least round trip is that of all its connections", () => {
  const behind = { ...queued, minRttMs: 180 };
  assert.equal(adaptiveWindow([behind]), 18, "by itself, it had no queue");
  assert.equal(adaptiveWindow([behind, { ...queued, cwnd: 40 }]), 21);
});

test("of several connections, the one in the middle", () =>
  assert.equal(adaptiveWindow([calm, { ...calm, cwnd: 40 }, { ...queued, deliveryMbps: 0.05 }]), 18));
