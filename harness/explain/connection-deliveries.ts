/** Finds when each side could read the other side's data: over TCP in the connection's order, over QUIC in each stream's order. */

import { type StreamPiece, streamsOf } from "../../observe/request-streams.ts";
import type { ConnectionEvidence, RequestEvidence } from "../../schema/evidence.ts";
import type { TracedConnection } from "./connections.ts";
import { type Delivery, streamDeliveries, tcpDeliveries } from "./deliveries.ts";
import type { LoadEvent } from "./event.ts";
import type { FlowEvents } from "./flow-events.ts";
import type { PacketEvents, SideEvents } from "./link-events.ts";

export interface ConnectionDeliveries {
  /** `answers` is what the client could read, `questions` what the server could read; both are in the order of time. */
  answers: Delivery[];
  questions: Delivery[];
  /** Returns what the client could read of a request's response, or all of the connection's data if the streams are not known. */
  answersOf(request: RequestEvidence): readonly Delivery[];
  /** Null over TCP. */
  asked: AskedPackets | null;
}

/** The requests in the client's packets. Each packet is identified by its index among the client's packets. */
export interface AskedPackets {
  /** Packet -> the request whose first bytes it carried. */
  requests: ReadonlyMap<number, RequestEvidence>;
  /** A packet that retransmits a request -> the packet that carried the request first. */
  repeated: ReadonlyMap<number, number>;
  /** Request -> the first packet to arrive with a MAX_STREAMS frame that allows the request's stream. The handshake may have allowed it, too. */
  allowed: ReadonlyMap<RequestEvidence, PacketEvents>;
}

export interface RequestEvents {
  request: RequestEvidence;
  start: LoadEvent;
  sent: LoadEvent;
  end: LoadEvent;
}

/** The events of one connection of a load: its packets, what each side could read, and the browser's requests over it. */
export interface Connection extends ConnectionDeliveries {
  flow: FlowEvents;
  requests: RequestEvents[];
  evidence: ConnectionEvidence;
  /** The most requests that are active at once: 1 over HTTP/1.1; over HTTP/2 the server may limit them. */
  slots: number;
}

export function connectionDeliveries(connection: TracedConnection, { down, up }: FlowEvents): ConnectionDeliveries {
  const { responses, questions, requests } = connection;
  const streams = responses ? streamsOf(requests, responses) : new Map<RequestEvidence, number>();
  const all = questions
    ? {
        answers: quicDeliveries(
          down,
          up,
          new Map([...(responses ?? [])].map(([stream, { pieces }]) => [stream, pieces])),
        ),
        questions: quicDeliveries(up, down, questions),
      }
    : {
        answers: inOneStream(tcpDeliveries(down.packets, up.all)),
        questions: inOneStream(tcpDeliveries(up.packets, down.all)),
      };
  const byStream = new Map<number, Delivery[]>();
  const answersOf = (request: RequestEvidence): readonly Delivery[] => {
    const stream = streams.get(request);
    if (stream === undefined) return all.answers.inTime;
    const known = byStream.get(stream) ?? all.answers.ofStream(stream, responses?.get(stream)?.pieces ?? []);
    byStream.set(stream, known);
    return known;
  };
  const asked = questions && {
    ...askedPackets(questions, new Map([...streams].map(([request, stream]) => [stream, request]))),
    allowed: allowedBy(connection, down, streams),
  };
  return { answers: all.answers.inTime, questions: all.questions.inTime, answersOf, asked };
}

function askedPackets(
  questions: ReadonlyMap<number, readonly StreamPiece[]>,
  requestOf: ReadonlyMap<number, RequestEvidence>,
): Omit<AskedPackets, "allowed"> {
  const requests = new Map<number, RequestEvidence>();
  const repeated = new Map<number, number>();
  for (const [stream, [first, ...others]] of questions) {
    const request = requestOf.get(stream);
    if (first && request && !requests.has(first.place)) requests.set(first.place, request);
    for (const { place, from } of others) if (first && from < first.to) repeated.set(place, first.place);
  }
  return { requests, repeated };
}

/** A client numbers the streams of its requests 0, 4, 8 and so on (RFC 9000, section 2.1). */
const streamStep = 4;

function allowedBy(
  { limits }: TracedConnection,
  { packets }: SideEvents,
  streams: ReadonlyMap<RequestEvidence, number>,
): AskedPackets["allowed"] {
  const arrived = limits.flatMap(({ place, streams }) => {
    const packet = packets[place];
    return packet && packet.arrivedUs !== null ? [{ packet, streams, atUs: packet.arrivedUs }] : [];
  });
  const inTime = arrived.sort((a, b) => a.atUs - b.atUs);
  const allowed = [...streams].flatMap(([request, stream]): [RequestEvidence, PacketEvents][] => {
    const first = inTime.find((one) => one.streams > stream / streamStep);
    return first ? [[request, first.packet]] : [];
  });
  return new Map(allowed);
}

interface SideDeliveries {
  inTime: Delivery[];
  ofStream(stream: number, pieces: readonly StreamPiece[]): Delivery[];
}

/** Over TCP, a stream's bytes can be read only after all earlier data of the connection has arrived. */
const inOneStream = (all: Delivery[]): SideDeliveries => ({
  inTime: all,
  ofStream(_, pieces) {
    const places = new Set(pieces.map(({ place }) => place));
    return all.filter(({ packet }) => places.has(packet.place));
  },
});

/** Handshake packets are read as they arrive; the data of each stream is read in the stream's order. */
function quicDeliveries(
  own: SideEvents,
  other: SideEvents,
  streams: ReadonlyMap<number, readonly StreamPiece[]>,
): SideDeliveries {
  const packetAt = (place: number): PacketEvents => own.packets[place]!;
  const byStream = new Map(
    [...streams].map(([stream, pieces]) => [
      stream,
      streamDeliveries(
        pieces.map(({ place, from, to, fin }) => ({ packet: packetAt(place), from, to: fin ? to + 1 : to })),
        other.all,
      ),
    ]),
  );
  const handshake = own.packets.flatMap((packet): Delivery[] =>
    packet.arrivedUs !== null && packet.sent.opening && packet.bytes > 0 ? [{ packet, delivered: packet.arrival }] : [],
  );
  const inTime = [...handshake, ...[...byStream.values()].flat()];
  return {
    inTime: inTime.sort((a, b) => a.delivered.atUs - b.delivered.atUs),
    ofStream: (stream) => byStream.get(stream) ?? [],
  };
}
