/** The trace of a synthetic connection. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf, traceSchema } from "../schema/trace.ts";
import type { Packet } from "./packet.ts";
import { sentPackets, traceOf } from "./packet-trace.ts";
import { madePacket } from "./test-packets.fixture.ts";

const [client, server] = ["198.18.0.10:40000", "198.18.1.11:4432"];
const navigationMs = 1_790_000_000_000.5;
const [clientStart, serverStart] = [0xfffffff0, 0xffffff00]; // sequence numbers wrap

let mark = 0;
/** A segment that is sent `timeMs` after navigation start, and arrives 50 ms later or is lost. */
function segment(timeMs: number, byClient: boolean, news: Partial<Packet>) {
  const packet = madePacket({
    timeMs: navigationMs + timeMs,
    frameBytes: 66 + (news.payloadBytes ?? 0),
    source: byClient ? client : server,
    destination: byClient ? server : client,
    mark: mark++,
    ...news,
  });
  return { packet, byClient, lost: false };
}
const up = (bytes: number) => (clientStart + 1 + bytes) >>> 0;
const down = (bytes: number) => (serverStart + 1 + bytes) >>> 0;

const load = [
  segment(1, true, { syn: true, sequence: clientStart, window: 64000, windowScale: 7 }),
  segment(51.1, false, { syn: true, sequence: serverStart, acknowledgment: up(0), windowScale: 7 }),
  segment(101.2, true, { sequence: up(0), acknowledgment: down(0), payloadBytes: 300, push: true }),
  { ...segment(151.3, false, { sequence: down(0), acknowledgment: up(300), payloadBytes: 1000 }), lost: true },
  segment(151.4, false, { sequence: down(1000), acknowledgment: up(300), payloadBytes: 500 }),
  segment(201.5, true, { sequence: up(300), acknowledgment: down(0), sacks: true, sackedTo: down(1500) }),
  segment(251.6, false, { sequence: down(0), acknowledgment: up(300), payloadBytes: 1000 }),
];

/** Returns a host's capture: sent packets at the time they were sent, and received packets 50 ms after they were sent. */
function captureOf(isClient: boolean) {
  const here = load
    .filter(({ byClient, lost }) => byClient === isClient || !lost)
    .map(({ packet, byClient }) => (byClient === isClient ? packet : { ...packet, timeMs: packet.timeMs + 50 }))
    .sort((a, b) => a.timeMs - b.timeMs);
  const own = isClient ? client : server;
  const sightings = (end: "source" | "destination") =>
    here
      .filter((packet) => packet[end] === own)
      .map((packet): [number, number, number] => [packet.timeMs, packet.frameBytes, packet.mark]);
  return { packets: here, quic: [], sightings: { sent: sightings("source"), arrived: sightings("destination") } };
}

test("a trace has each packet's sending time, and its arrival time unless it was lost", () => {
  const atServer = captureOf(false);
  const trace = traceSchema.parse(
    traceOf(
      captureOf(true),
      [{ outgoing: sentPackets(atServer.packets, false), quicFlows: [], sightings: atServer.sightings }],
      { navigationMs, firstRequestMs: navigationMs + 0.4 },
      [],
      null,
    ),
  );
  assert.equal(trace.firstRequestUs, 400);
  const [flow] = trace.flows;
  assert.deepEqual([flow!.server, flow!.clientPort], [server, 40000]);
  const [syn, request, selective] = rowsOf(flow!.up);
  assert.deepEqual([syn!.sentUs, syn!.arrivedUs, syn!.syn, syn!.window], [1000, 51_000, true, 64_000]);
  assert.deepEqual([request!.offset, request!.bytes, request!.window], [0, 300, 500 << 7]);
  assert.deepEqual([selective!.acknowledged, selective!.sackedTo, selective!.bytes], [0, 1500, 0]);
  assert.deepEqual(
    rowsOf(flow!.down).map(({ sentUs, arrivedUs, offset, bytes, repeated }) => [
      sentUs,
      arrivedUs,
      offset,
      bytes,
      repeated,
    ]),
    [
      [51_100, 101_100, 0, 0, false],
      [151_300, null, 0, 1000, false],
      [151_400, 201_400, 1000, 500, false],
      [251_600, 301_600, 0, 1000, true],
    ],
  );
});
