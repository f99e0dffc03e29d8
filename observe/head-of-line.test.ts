/** The same loss over HTTP/2 and HTTP/3: the first of four packets is lost, and its data is retransmitted 100 ms later. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { frameColumnsOf, pieceColumnsOf } from "../schema/stream-trace.ts";
import { columnsOf, type TracedFlow, type TracedQuicFlow } from "../schema/trace.ts";
import { http2Streams, http3Streams } from "./head-of-line.ts";

/** When the packet was sent, and its one-way delay, which is null if it was lost. */
type Packet = readonly [sentMs: number, tookMs: number | null];
const lossy: Packet[] = [
  [0, null],
  [1, 50],
  [2, 50],
  [3, 50],
  [101, 50],
];
const lossless: Packet[] = lossy.slice(0, 4).map(([sentMs]) => [sentMs, 50]);
/** Packets 0 and 2 carry stream 0. Packets 1 and 3 carry stream 4. Packet 4 retransmits packet 0's data. */
const carried = [
  { stream: 0, offset: 0 },
  { stream: 4, offset: 0 },
  { stream: 0, offset: 1000 },
  { stream: 4, offset: 1000 },
  { stream: 0, offset: 0 },
];

const ends = { server: "198.18.1.11:4432", clientPort: 40000 };
const nothing = columnsOf([]);

function overHttp2(packets: readonly Packet[]): TracedFlow {
  const row = ([sentMs, tookMs]: Packet, i: number) => ({
    sentUs: 1000 * sentMs,
    arrivedUs: tookMs === null ? null : 1000 * (sentMs + tookMs),
    frameBytes: 1066,
    offset: i === 4 ? 0 : 1000 * i,
    ...{ bytes: 1000, acknowledged: 0, sackedTo: 0, window: 0, flags: 0 },
  });
  // Stream n over HTTP/3 is stream n / 2 + 1 over HTTP/2.
  const frames = carried.slice(0, 4).map(({ stream }, i) => ({ stream: stream / 2 + 1, at: 1000 * i, bytes: 1000 }));
  const columns = { down: frameColumnsOf(frames), up: frameColumnsOf([]) };
  return { ...ends, down: columnsOf(packets.map(row)), up: nothing, frames: columns };
}

function overHttp3(packets: readonly Packet[]): TracedQuicFlow {
  const pieces = packets.map((_, datagram) => ({ datagram, ...carried[datagram]!, bytes: 1000, fin: false }));
  const opened = { bytes: packets.map(() => 1000), acknowledged: packets.map(() => null) };
  return {
    ...ends,
    down: {
      sentUs: packets.map(([sentMs], i) => 1000 * (sentMs - (packets[i - 1]?.[0] ?? 0))),
      tookUs: packets.map(([, tookMs]) => (tookMs === null ? null : 1000 * tookMs)),
      frameBytes: packets.map(() => 1066),
    },
    up: { sentUs: [], tookUs: [], frameBytes: [] },
    opened: {
      down: { ...opened, pieces: pieceColumnsOf(pieces) },
      up: { bytes: [], acknowledged: [], pieces: pieceColumnsOf([]) },
    },
  };
}

test("over HTTP/2, a lost packet of one stream also delays the other stream's bytes", () =>
  assert.deepEqual(http2Streams(overHttp2(lossy)), {
    responses: 2,
    bytes: 4000,
    waitedBytes: 1000, // the second half of the response whose first half was lost
    blockedBytes: 2000,
    longestBlockedMs: 100,
  }));

test("over HTTP/3, a lost packet delays only bytes of its own stream", () =>
  assert.deepEqual(http3Streams(overHttp3(lossy)), {
    responses: 2,
    bytes: 4000,
    waitedBytes: 1000,
    blockedBytes: 0,
    longestBlockedMs: 0,
    passedBytes: 2000,
  }));

test("without a loss no bytes wait; for a connection that was not decrypted, the result is null", () => {
  const { frames: _, ...encrypted } = overHttp2(lossy);
  assert.equal(http2Streams(encrypted), null);
  const { opened: __, ...sealed } = overHttp3(lossy);
  assert.equal(http3Streams(sealed), null);
  for (const streams of [http2Streams(overHttp2(lossless)), http3Streams(overHttp3(lossless))])
    assert.deepEqual([streams!.waitedBytes, streams!.blockedBytes, streams!.passedBytes ?? 0], [0, 0, 0]);
});
