/** Evidence from a server's decrypted packets. The server's window is ten packets of 1,200 bytes, and the link's RTT is 100 ms. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PacketRange, QuicFrame } from "./quic-frames.ts";
import type { OpenedPacket } from "./quic-opened.ts";
import { openedQuic } from "./quic-recovery.ts";

type Level = OpenedPacket["level"];
const sent = (
  timeMs: number,
  number: number,
  frames: QuicFrame[],
  level: Level = "data",
  bytes = 1200,
): OpenedPacket => ({
  ...{ timeMs, mark: number, number, frames, level, bytes },
  ...{ fromClient: false, isComplete: true, isAckEliciting: true },
});
const acknowledged = (timeMs: number, number: number, ranges: PacketRange[], level: Level = "data"): OpenedPacket => ({
  ...{ timeMs, mark: number, number, level, bytes: 40 },
  frames: [{ type: "ack", ranges, delay: 0 }],
  ...{ fromClient: true, isComplete: true, isAckEliciting: false },
});
const data = (offset: number, fin = false): QuicFrame => ({ type: "stream", id: 4, offset, bytes: 1170, fin });

const handshake = [
  sent(0, 0, [{ type: "crypto", offset: 0, bytes: 900, dataAt: 4 }], "handshake", 1000),
  acknowledged(100, 0, [[0, 0]], "handshake"),
];
/** Ten packets that are sent at once, and four more packets after two of the ten are acknowledged. */
const response = [
  ...Array.from({ length: 10 }, (_, i) => sent(101, i, [data(i * 1170)])),
  acknowledged(201, 1, [[0, 1]]),
  ...[10, 11, 12, 13].map((number) => sent(201.1, number, [data(number * 1170)])),
];

test("with a window of 12,000 bytes, the bytes in flight show at least 9,801 bytes, and the server's stop shows at most 13,200 bytes", () => {
  const opened = openedQuic([...handshake, ...response], 2);
  assert.deepEqual(opened, {
    unopened: 2,
    sentPackets: 15,
    acknowledgedPackets: 3,
    lostPackets: 0,
    repeatedBytes: 0,
    mostInFlightBytes: 14_400,
    blockedFrames: 0,
    firstFlight: { packets: 10, bytes: 12_000 },
    initialWindowAtLeastBytes: 9801,
    stoppedBytes: 13_200,
    roundTripMs: { least: 100, median: 100 },
  });
});

test("stoppedBytes is null if a server paces, waits with fewer than two packets in flight, or begins another response", () => {
  const paced = Array.from({ length: 10 }, (_, i) => sent(101 + i * 10, i, [data(i * 1170)]));
  const more = [acknowledged(201, 1, [[0, 1]]), sent(201.1, 10, [data(11_700)])];
  assert.equal(openedQuic([...handshake, ...paced, ...more], 0).stoppedBytes, null);
  const headers = [sent(101, 0, [data(0)], "data", 300), acknowledged(201, 0, [[0, 0]]), sent(201.1, 1, [data(1170)])];
  assert.equal(openedQuic([...handshake, ...headers], 0).stoppedBytes, null);
  const ended = response.map((packet) => (packet.number === 9 ? { ...packet, frames: [data(10_530, true)] } : packet));
  assert.equal(openedQuic([...handshake, ...ended], 0).stoppedBytes, null);
});

test("a packet counts as lost when a packet sent three packets later is acknowledged; later flights do not change the estimated window", () => {
  const more = [
    acknowledged(202, 2, [
      [4, 6],
      [0, 2],
    ]),
    sent(202.1, 14, [data(3 * 1170)]),
    ...Array.from({ length: 30 }, (_, i) => sent(203, 15 + i, [data((14 + i) * 1170)])),
  ];
  const opened = openedQuic([...handshake, ...response, ...more], 0);
  assert.deepEqual([opened.lostPackets, opened.repeatedBytes], [1, 1170]);
  assert.deepEqual([opened.initialWindowAtLeastBytes, opened.stoppedBytes], [9801, 13_200]);
});

test("blockedFrames counts the frames in which the server reports that the client's flow control blocks it", () => {
  const blocked = [14, 15].map((number) => sent(202, number, [{ type: "blocked", limitBytes: 16_384 }]));
  const byClient = { ...acknowledged(300, 9, []), frames: [{ type: "blocked" as const, limitBytes: 0 }] };
  assert.equal(openedQuic([...handshake, ...response, ...blocked, byClient], 0).blockedFrames, 2);
});

test("mostInFlightBytes excludes path MTU probes, and `closed` names the end that closed the connection", () => {
  const probe = sent(101, 0, [{ type: "ping" }, { type: "padding" }], "data", 1452);
  const close = { ...acknowledged(300, 9, []), frames: [{ type: "close" as const, error: 256 }] };
  const opened = openedQuic([...handshake, probe, close], 0);
  assert.deepEqual([opened.mostInFlightBytes, opened.closed], [1000, { by: "client", error: 256 }]);
  assert.deepEqual([opened.firstFlight, opened.roundTripMs], [null, { least: 100, median: 100 }]);
});
