/** Finds when a program could read the data of packets. */
import type { TracedPacket } from "../../schema/trace.ts";
import { event, type LoadEvent } from "./event.ts";
import type { PacketEvents } from "./link-events.ts";
import type { Part } from "./parts.ts";
import { type Arrived, lastUntil, quicRecoveryOf, recoveryOf } from "./recovery.ts";

/** A packet of new data, and when the other side's program could read this data: all earlier data had to arrive, too. */
export interface Delivery {
  packet: PacketEvents;
  delivered: LoadEvent;
}

/** Returns the last delivery until this moment. @param all the deliveries in the order of time */
export const readAt = (all: readonly Delivery[], atUs: number): Delivery | undefined =>
  lastUntil(atUs, all, ({ delivered }) => delivered.atUs);

export const carries = ({ bytes, syn }: TracedPacket) => bytes > 0 || syn;

/** A packet with new data, the packet that delivered this data (after a loss, a retransmission), and how the loss was detected. */
interface NewData {
  packet: PacketEvents;
  came: PacketEvents;
  how: Part;
}

export function tcpDeliveries(own: readonly PacketEvents[], answers: Arrived<PacketEvents>): Delivery[] {
  const firstSyn = own.find(({ syn }) => syn);
  return inOrder(
    own.flatMap((packet): NewData[] => {
      if (!carries(packet) || packet.repeated || (packet.syn && packet !== firstSyn)) return [];
      if (packet.arrivedUs !== null) return [{ packet, came: packet, how: "unknown" }];
      const came = repetitionOf(packet, own);
      return came ? [{ packet, came, how: recoveryOf(packet, came, own, answers) }] : []; // never delivered, and not needed by the load
    }),
  );
}

/** Data in a packet: a range of the bytes of a TCP connection or of a QUIC stream. A QUIC stream's end counts as one more byte. */
export interface PacketPiece {
  packet: PacketEvents;
  from: number;
  to: number;
}

/** Finds the packet whose arrival completes lost data, which may be retransmitted in several packets. */
function completing(from: number, to: number, again: readonly PacketPiece[]): PacketEvents | undefined {
  const arrived = again
    .filter((one) => one.packet.arrivedUs !== null && one.from < to && one.to > from)
    .sort((a, b) => a.packet.arrivedUs! - b.packet.arrivedUs!);
  return arrived.find((_, i) => coversAll(from, to, arrived.slice(0, i + 1)))?.packet;
}

function coversAll(from: number, to: number, pieces: readonly PacketPiece[]): boolean {
  let covered = from;
  for (const piece of pieces.toSorted((a, b) => a.from - b.from))
    if (piece.from <= covered) covered = Math.max(covered, piece.to);
  return covered >= to;
}

/** Compares byte ranges, because Linux may retransmit a lost packet's data in smaller segments, or together with other data. */
function repetitionOf(lost: PacketEvents, own: readonly PacketEvents[]): PacketEvents | undefined {
  const later = own.slice(lost.place + 1);
  if (lost.syn) return later.find(({ syn, arrivedUs }) => syn && arrivedUs !== null);
  const again = later.map((packet) => ({ packet, from: packet.offset, to: packet.offset + packet.bytes }));
  return completing(lost.offset, lost.offset + lost.bytes, again);
}

/** Returns the deliveries of one stream of a QUIC connection. @param pieces the stream's data in the order in which it was sent */
export function streamDeliveries(pieces: readonly PacketPiece[], answers: Arrived<PacketEvents>): Delivery[] {
  let sentTo = 0;
  const fresh = pieces.filter(({ to }) => {
    const isNew = to > sentTo;
    sentTo = Math.max(sentTo, to);
    return isNew;
  });
  return inOrder(
    fresh.flatMap(({ packet, from, to }): NewData[] => {
      if (packet.arrivedUs !== null) return [{ packet, came: packet, how: "unknown" }];
      const again = pieces.filter((one) => one.packet.place > packet.place);
      const came = completing(from, to, again);
      return came ? [{ packet, came, how: quicRecoveryOf(packet, came, answers) }] : [];
    }),
  );
}

/** Data after a lost packet waits for the retransmission. Without the loss, the data could have been read at `calm`; later time counts as `how`. */
function inOrder(sent: readonly NewData[]): Delivery[] {
  let calm: LoadEvent | null = null;
  let blocked: { untilUs: number; how: Part } = { untilUs: 0, how: "unknown" };
  return sent.map(({ packet, came, how }) => {
    const what = packet.arrival.what.replace("arrives", "can be read");
    const news = { flow: packet.flow, opening: packet.arrival.opening };
    const before: LoadEvent | null = calm;
    calm = event(Math.max(packet.arrival.atUs, before?.atUs ?? 0), what, "unknown", {
      ...news,
      causes: [packet.arrival, ...(before ? [before] : [])].map((from) => ({ from, takes: [] })),
    });
    if (came.arrivedUs! > blocked.untilUs) blocked = { untilUs: came.arrivedUs!, how };
    const atUs = Math.max(calm.atUs, blocked.untilUs);
    return { packet, delivered: event(atUs, what, blocked.how, { ...news, causes: [{ from: calm, takes: [] }] }) };
  });
}
