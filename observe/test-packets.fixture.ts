/** For tests: synthetic segments and connections, whose properties are known. */
import type { Packet } from "./packet.ts";

/** A TCP segment without payload and flags, except for the given fields. */
export const madePacket = (news: Pick<Packet, "timeMs" | "source" | "destination"> & Partial<Packet>): Packet => ({
  transport: "tcp",
  frameBytes: 66,
  sequence: 0,
  acknowledgment: 0,
  syn: false,
  fin: false,
  reset: false,
  push: false,
  sacks: false,
  window: 500,
  windowScale: null,
  mssBytes: null,
  payloadBytes: 0,
  payload: Buffer.alloc(0),
  mark: 0,
  ...news,
});

export const client = "198.18.0.10:40000";
const server = "198.18.1.11:4432";
export const mss = 1448;
export const clientStart = 0xffffff00; // sequence numbers wrap
export const serverStart = 0xfffff000;

/** Makes a segment. Segments are numbered from 0 on, and times are in milliseconds. */
const segment = (timeMs: number, fromClient: boolean, news: Partial<Packet>): Packet =>
  madePacket({
    timeMs,
    source: fromClient ? client : server,
    destination: fromClient ? server : client,
    window: 64240,
    ...news,
  });
export const send = (timeMs: number, number: number) =>
  segment(timeMs, false, { sequence: (serverStart + 1 + number * mss) >>> 0, payloadBytes: mss });
export const ack = (timeMs: number, upTo: number, news: Partial<Packet> = {}) =>
  segment(timeMs, true, {
    sequence: (clientStart + 1) >>> 0,
    acknowledgment: (serverStart + 1 + upTo * mss) >>> 0,
    ...news,
  });
export const request = (timeMs: number, upTo: number) =>
  ack(timeMs, upTo, { payloadBytes: 300, payload: Buffer.from([23]) });
export const handshake = [
  segment(0, true, { syn: true, sequence: clientStart }),
  segment(0.1, false, { syn: true, sequence: serverStart, acknowledgment: (clientStart + 1) >>> 0 }),
  ack(100, 0),
];
export const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
/** A flight of `window` segments. A round trip later, each of them is acknowledged, and two more segments follow each acknowledgment. */
export const slowStart = (window: number) => [
  ...handshake,
  request(101, 0),
  ...range(0, window).map((number) => send(102, number)),
  ...range(1, window + 1).flatMap((upTo) => [
    ack(202 + upTo, upTo),
    send(202.1 + upTo, window + 2 * upTo - 2),
    send(202.1 + upTo, window + 2 * upTo - 1),
  ]),
];
