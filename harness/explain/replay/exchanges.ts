/** A connection's traffic in parts that can go over another: over HTTP/1.1 its handshake, then each request with its answer. */
import type { LoadEvent } from "../event.ts";
import type { Delivery } from "../flow-events.ts";
import type { PacketEvents } from "../link-events.ts";
import type { Connection, RequestEvents } from "../load-events.ts";
import { endOf, type Written, writtenByClient, writtenByServer } from "./written.ts";

/** One direction's part: what was written, and what of it could be read when; positions are the trace's. */
export interface Stretch {
  written: Written[];
  read: Delivery[];
  start: number;
  end: number;
}

export interface Exchange {
  up: Stretch;
  down: Stretch;
  /** Its connection in the trace. */
  connection: Connection;
  /** null for a handshake, and for a connection on which several requests are under way at once. */
  request: RequestEvents | null;
}

/** The handshake comes first, or all. */
export function exchangesOf(connection: Connection): Exchange[] {
  const { requests, isSerial } = connection;
  const up = { written: writtenByClient(connection), read: connection.questions };
  const down = { written: writtenByServer(connection), read: connection.answers };
  const sentUs = isSerial ? requests.map(({ sent }) => sent.atUs) : [];
  const partOf = (packet: PacketEvents, patienceUs: number) =>
    sentUs.filter((atUs) => atUs <= packet.sentUs + patienceUs).length;
  let [toUp, toDown] = [0, 0];
  return [null, ...(isSerial ? requests : [])].map((request, part) => {
    const stretch = (all: typeof up, start: number, patienceUs: number): Stretch => {
      const written = all.written.filter(({ packet }) => partOf(packet, patienceUs) === part);
      const read = all.read.filter(({ packet }) => partOf(packet, patienceUs) === part);
      const end = Math.max(
        start,
        ...written.map(({ segment }) => segment.end),
        ...read.map(({ packet }) => endOf(packet)),
      );
      return { written, read, start, end };
    };
    const one = { up: stretch(up, toUp, notedUs), down: stretch(down, toDown, 0), connection, request };
    [toUp, toDown] = [one.up.end, one.down.end];
    return one;
  });
}

/** A request's packet may leave so long before another of the browser's processes notes that it was handed over. */
const notedUs = 1000;

/** What a request waits for, beside a connection; and what its connection waits for before it takes one. */
export function causesOf({ request, connection }: Exchange): LoadEvent[] {
  const ofConnection = new Set([
    ...connection.answers.map(({ delivered }) => delivered),
    ...connection.requests.map(({ end }) => end),
  ]);
  const [first] = connection.requests;
  return request!.sent.causes
    .filter((cause) => !(cause.counts || (request === first && ofConnection.has(cause.from))))
    .map(({ from }) => from);
}
