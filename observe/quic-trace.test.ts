/** The trace of a QUIC connection whose packets this test encrypts: the fourth datagram is lost, and the seventh retransmits its data. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sighting } from "../schema/observation.ts";
import { pieceRows } from "../schema/stream-trace.ts";
import { Arrivals } from "./arrivals.ts";
import { readKeyLog } from "./key-log.ts";
import type { QuicDatagram } from "./quic-conversations.ts";
import { quicServerFlows } from "./quic-flows.ts";
import {
  bytes,
  clientInitial,
  datagram,
  logOf,
  noId,
  secretOf,
  serverId,
  serverInitial,
  short,
} from "./quic-packets.fixture.ts";
import { tracedQuicFlows } from "./quic-trace.ts";

const [mine, its] = [secretOf(7), secretOf(8)];
const onewayMs = 50;

/** A STREAM frame of stream 0 with 512 bytes. @param fin whether the stream ends with this frame */
const stream = (offset: number, fin = false) =>
  Buffer.concat([
    bytes(fin ? "0f" : "0e"),
    bytes("00"),
    bytes(offset === 0 ? "4000" : "4200"),
    bytes("4200"),
    Buffer.alloc(512, 97),
  ]);
/** A MAX_STREAMS frame: 256 streams. */
const maxStreams = bytes("12 4100");
const ack = (largest: number) => bytes(`02 0${largest} 00 00 00 01 01`);

/** Every datagram of the load with the time it was sent; `lost` if the datagram never arrives. */
const sent: { atMs: number; byClient: boolean; payload: Buffer; lost?: true }[] = [
  { atMs: 0, byClient: true, payload: clientInitial },
  { atMs: 50, byClient: false, payload: serverInitial },
  { atMs: 100, byClient: true, payload: short(mine, serverId, 0, stream(0, true)) },
  { atMs: 150, byClient: false, payload: short(its, noId, 1, stream(0)), lost: true },
  { atMs: 151, byClient: false, payload: short(its, noId, 2, stream(512, true)) },
  { atMs: 201, byClient: true, payload: short(mine, serverId, 1, ack(2)) },
  { atMs: 251, byClient: false, payload: short(its, noId, 3, Buffer.concat([stream(0), maxStreams])) },
];

/** The capture at one end: its own datagrams when they are sent, and the other end's datagrams when they arrive. */
const captureAt = (client: boolean): QuicDatagram[] =>
  sent
    .map((one, place) => ({ ...one, place }))
    .filter(({ byClient, lost }) => byClient === client || !lost)
    .map(({ atMs, byClient, payload, place }) => {
      const made = datagram(byClient === client ? atMs : atMs + onewayMs, byClient, payload, payload.length);
      return { ...made, packet: { ...made.packet, mark: place } };
    })
    .sort((a, b) => a.packet.timeMs - b.packet.timeMs);
const arrivedAt = (client: boolean) =>
  new Arrivals(
    captureAt(client).flatMap(({ packet, fromClient }): Sighting[] =>
      fromClient === client ? [] : [[packet.timeMs, packet.frameBytes, packet.mark]],
    ),
  );

const traced = (log: string) => {
  const secrets = readKeyLog(log);
  const sources = {
    sent: quicServerFlows(captureAt(false), secrets),
    atClient: arrivedAt(true),
    atServers: arrivedAt(false),
    secrets,
  };
  return tracedQuicFlows(captureAt(true), sources, 0)[0]!;
};

test("a trace includes a lost datagram and the stream data in it", () => {
  const { down, up, opened } = traced(logOf(7, 8));
  assert.deepEqual(down.tookUs, [50_000, null, 50_000, 50_000]);
  assert.deepEqual(up.tookUs, [50_000, 50_000, 50_000]);
  assert.deepEqual(
    pieceRows(opened!.down.pieces).map(({ datagram, offset, bytes, fin }) => [datagram, offset, bytes, fin]),
    [
      [1, 0, 512, false],
      [2, 512, 512, true],
      [3, 0, 512, false],
    ],
  );
  assert.deepEqual(opened!.up.acknowledged, [null, null, 2], "an acknowledgment refers to a datagram by its index");
  assert.deepEqual(opened!.down.limits, { datagram: [3], streams: [256] });
  assert.equal(opened!.up.limits, undefined);
  assert.ok(opened!.down.bytes.slice(1).every((size) => size > 512));
});

test("without secrets a trace has times and sizes only", () => {
  const { opened, ...rest } = traced("");
  assert.equal(opened, undefined);
  assert.deepEqual(rest.down.tookUs, [50_000, null, 50_000, 50_000]);
});
