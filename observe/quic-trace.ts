/** The QUIC part of a load's packet trace: datagrams at both ends, and their content as decrypted from the client's capture. */
import type { SentDatagrams, ServerObservation } from "../schema/observation.ts";
import { type PieceRow, pieceColumnsOf } from "../schema/stream-trace.ts";
import type { OpenedColumns, TracedQuicFlow } from "../schema/trace.ts";
import type { Arrivals } from "./arrivals.ts";
import type { ConnectionSecrets } from "./key-log.ts";
import { microseconds, portOf } from "./packet.ts";
import { type QuicDatagram, quicConversations } from "./quic-conversations.ts";
import { isPiece } from "./quic-frames.ts";
import { surelyDataBytes } from "./quic-moments.ts";
import { type OpenedPacket, openConversation } from "./quic-opened.ts";

export interface QuicTraceSources {
  sent: readonly Pick<ServerObservation["quicFlows"][number], "client" | "server" | "outgoing">[];
  atClient: Arrivals;
  atServers: Arrivals;
  secrets: readonly ConnectionSecrets[];
}

interface Row {
  mark: number;
  sentUs: number;
  tookUs: number | null;
  frameBytes: number;
}

/** The headers of Ethernet, IPv4 and UDP. */
const headerBytes = 14 + 20 + 8;

/** @param datagrams the client's capture, with whole datagrams @param navigationMs navigation start, since the epoch */
export function tracedQuicFlows(
  datagrams: readonly QuicDatagram[],
  { sent, atClient, atServers, secrets }: QuicTraceSources,
  navigationMs: number,
): TracedQuicFlow[] {
  const byEnds = new Map(sent.map((flow) => [`${flow.client} ${flow.server}`, flow]));
  return quicConversations(datagrams).map((conversation) => {
    const { client, server } = conversation;
    const rowsOf = (sightings: SentDatagrams["sightings"], arrivals: Arrivals) =>
      sightings.map(([timeMs, frameBytes, mark]): Row => {
        const sentUs = microseconds(timeMs);
        const arrivedUs = arrivals.take(mark, sentUs);
        return { mark, sentUs, tookUs: arrivedUs === null ? null : arrivedUs - sentUs, frameBytes };
      });
    const asked = conversation.datagrams
      .filter(({ fromClient }) => fromClient)
      .map(({ packet }): [number, number, number] => [packet.timeMs, packet.frameBytes, packet.mark]);
    const sentHere = byEnds.get(`${client} ${server}`)?.outgoing;
    const up = rowsOf(asked, atServers);
    const down = rowsOf(sentHere?.sightings ?? [], atClient);
    const opened = openConversation(conversation, secrets);
    return {
      server,
      clientPort: portOf(client),
      down: columnsOf(down, navigationMs),
      up: columnsOf(up, navigationMs),
      ...(opened && { opened: contentOf(opened.packets, { down, up }, sentHere?.pieces ?? []) }),
    };
  });
}

const columnsOf = (rows: readonly Row[], navigationMs: number) => ({
  sentUs: rows.map(({ sentUs }, i) => sentUs - (rows[i - 1]?.sentUs ?? microseconds(navigationMs))),
  tookUs: rows.map(({ tookUs }) => tookUs),
  frameBytes: rows.map(({ frameBytes }) => frameBytes),
});

/** @param sentPieces STREAM frames in the server's capture, for datagrams that did not arrive */
function contentOf(
  packets: readonly OpenedPacket[],
  rows: { down: readonly Row[]; up: readonly Row[] },
  sentPieces: SentDatagrams["pieces"],
): { down: OpenedColumns; up: OpenedColumns } {
  const placesOf = (side: "down" | "up") => new Map(rows[side].map(({ mark }, place) => [mark, place]));
  const [downPlaces, upPlaces] = [placesOf("down"), placesOf("up")];
  const placed = packets.flatMap((packet) => {
    const place = (packet.fromClient ? upPlaces : downPlaces).get(packet.mark);
    return place === undefined ? [] : [{ place, packet }];
  });
  const down = placed.filter(({ packet }) => !packet.fromClient);
  const up = placed.filter(({ packet }) => packet.fromClient);
  const lostPieces = sentPieces.flatMap(([mark, stream, offset, bytes, fin]) => {
    const datagram = downPlaces.get(mark);
    return datagram === undefined || rows.down[datagram]!.tookUs !== null
      ? []
      : [{ datagram, stream, offset, bytes, fin }];
  });
  const columns = (own: Placed, other: Placed, all: readonly Row[], pieces: PieceRow[]): OpenedColumns => ({
    bytes: bytesOf(own, all),
    acknowledged: acknowledgedOf(own, other, all.length),
    pieces: pieceColumnsOf(pieces.toSorted((a, b) => a.datagram - b.datagram)),
    ...limitsOf(own),
  });
  return {
    down: columns(down, up, rows.down, [...piecesOf(down), ...lostPieces]),
    up: columns(up, down, rows.up, piecesOf(up)),
  };
}

function limitsOf(own: Placed): Pick<OpenedColumns, "limits"> {
  const found = own.flatMap(({ place, packet }) =>
    packet.frames.flatMap((frame) => (frame.type === "maxStreams" ? [{ place, streams: frame.streams }] : [])),
  );
  if (found.length === 0) return {};
  return { limits: { datagram: found.map(({ place }) => place), streams: found.map(({ streams }) => streams) } };
}

type Placed = readonly { place: number; packet: OpenedPacket }[];

function bytesOf(own: Placed, rows: readonly Row[]): number[] {
  const bytes = rows.map(({ tookUs, frameBytes }) => {
    const payloadBytes = frameBytes - headerBytes;
    return tookUs === null && payloadBytes >= surelyDataBytes ? payloadBytes : 0;
  });
  const opened = new Set(own.map(({ place }) => place));
  for (const place of opened) bytes[place] = 0;
  for (const { place, packet } of own) if (packet.isAckEliciting) bytes[place]! += packet.bytes;
  return bytes;
}

/** For each datagram, finds the latest datagram that it newly acknowledges. Level and number identify a packet: each level has its own numbers. */
function acknowledgedOf(own: Placed, other: Placed, length: number): (number | null)[] {
  const placeOf = new Map(other.map(({ place, packet }) => [`${packet.level} ${packet.number}`, place]));
  const acknowledged: (number | null)[] = Array.from({ length }, () => null);
  let most = -1;
  for (const { place, packet } of own) {
    const ack = packet.frames.find((frame) => frame.type === "ack");
    const largest = ack && placeOf.get(`${packet.level} ${ack.ranges[0]![1]}`);
    if (largest === undefined || largest <= most) continue;
    acknowledged[place] = largest;
    most = largest;
  }
  return acknowledged;
}

const piecesOf = (own: Placed): PieceRow[] =>
  own.flatMap(({ place, packet }) =>
    packet.frames
      .filter(isPiece)
      .map(({ id, offset, bytes, fin }) => ({ datagram: place, stream: id, offset, bytes, fin })),
  );
