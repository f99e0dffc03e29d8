import assert from "node:assert/strict";
import { test } from "node:test";
import type { QuicFrame } from "./quic-frames.ts";
import { lastNewMs } from "./quic-moments.ts";
import type { OpenedPacket } from "./quic-opened.ts";

const stream = (id: number, offset: number, bytes: number): QuicFrame => ({
  type: "stream",
  id,
  offset,
  bytes,
  fin: false,
});
const packet = (timeMs: number, frames: QuicFrame[], fromClient = false): OpenedPacket => ({
  ...{ timeMs, fromClient, frames, level: "data", mark: timeMs, number: timeMs, bytes: 1200 },
  ...{ isComplete: true, isAckEliciting: true },
});

test("lastNewMs is the last time at which response bytes arrived that had not arrived before", () => {
  const first = packet(100, [stream(0, 0, 1000)]);
  const gap = packet(101, [stream(0, 2000, 1000), stream(4, 0, 10)]);
  const filling = packet(150, [stream(0, 900, 1100)]);
  assert.equal(lastNewMs([first, gap, filling]), 150, "bytes that fill the gap of a lost packet");
  const repeated = packet(400, [stream(0, 500, 2000), stream(4, 0, 10)]);
  assert.equal(lastNewMs([first, gap, filling, repeated]), 150, "all bytes of the last packet had arrived before");
  assert.equal(lastNewMs([first, gap, filling, packet(400, [stream(0, 500, 2501)])]), 400, "one byte is new");
});

test("lastNewMs ignores settings, empty frames and the client's own frames", () => {
  const first = packet(100, [stream(0, 0, 1000)]);
  const others = [
    packet(200, [stream(3, 0, 500), stream(0, 1000, 0), { type: "ping" }]),
    packet(300, [stream(4, 0, 90)], true),
  ];
  assert.equal(lastNewMs([first, ...others]), 100);
  assert.equal(lastNewMs(others), null);
});
