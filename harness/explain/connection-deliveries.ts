/** When each side of a connection could read what the other sent: in the connection's order over TCP, in each stream's over QUIC. */
import type { RequestEvidence } from "../../schema/evidence.ts";
import type { TracedConnection } from "./connections.ts";
import { type Delivery, streamDeliveries, tcpDeliveries } from "./deliveries.ts";
import type { FlowEvents } from "./flow-events.ts";
import type { PacketEvents } from "./link-events.ts";
import { type StreamPiece, streamsOf } from "./request-streams.ts";
import type { SideEvents } from "./side-events.ts";

export interface ConnectionDeliveries {
  /** What the client could read, and what the server could read, in the order of their times. */
  answers: Delivery[];
  questions: Delivery[];
  /** What the client could read of a request's response; all of the connection's data if the streams are not known. */
  answersOf(request: RequestEvidence): readonly Delivery[];
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
  return { answers: all.answers.inTime, questions: all.questions.inTime, answersOf };
}

interface SideDeliveries {
  inTime: Delivery[];
  ofStream(stream: number, pieces: readonly StreamPiece[]): Delivery[];
}

/** Over TCP, a stream's bytes are read with the packets that have them. */
const inOneStream = (all: Delivery[]): SideDeliveries => ({
  inTime: all,
  ofStream(_, pieces) {
    const places = new Set(pieces.map(({ place }) => place));
    return all.filter(({ packet }) => places.has(packet.place));
  },
});

/** Packets of a handshake are read as they arrive, and each stream in its own order. */
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
        pieces.map(({ place, from, to }) => ({ packet: packetAt(place), from, to })),
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
