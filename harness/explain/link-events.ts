/** Computes when the link delivers each packet of one direction, from the link's delay and rate and the packets ahead. */
import type { DirectionParameters } from "../../schema/evidence.ts";
import { packetMs } from "../../schema/link.ts";
import type { TracedPacket } from "../../schema/trace.ts";
import { event, type LoadEvent, readyUs } from "./event.ts";
import type { Part } from "./parts.ts";
import type { Arrived } from "./recovery.ts";

export interface PacketEvents extends TracedPacket {
  flow: number;
  /** How long the packet waits in its host after `sentUs`, to simulate a more distant host. */
  farUs: number;
  /** The packet's index among the packets of its side. */
  place: number;
  /** Whether the packet is (part of) a request, to which the other side responds. */
  asks: boolean;
  sent: LoadEvent;
  /** The packet's arrival; for a lost packet, when it would have arrived. */
  arrival: LoadEvent;
}

/** The packets that one side of a connection sent. */
export interface SideEvents {
  packets: PacketEvents[];
  /** The packets with payload, by time of arrival. */
  data: Arrived<PacketEvents>;
  all: Arrived<PacketEvents>;
  /** The sender's initial window was at least this many packets. */
  leastWindow: number;
  /** The time of this side's first retransmission; Infinity if there was none. */
  firstRepetitionUs: number;
}

/** Adds arrivals' causes. @param packets one direction's packets of all flows @param rest the part for time that link and packets do not explain */
export function linkArrivals(
  packets: readonly PacketEvents[],
  { delayMs, rateMbps }: DirectionParameters,
  rest: Part,
): void {
  let ahead: PacketEvents | null = null;
  for (const packet of inOrder(packets, 1000 * delayMs)) {
    const sending = { part: "rate", us: 1000 * packetMs(packet.frameBytes, rateMbps) } as const;
    const delay = { part: "propagation", us: 1000 * delayMs + packet.farUs } as const;
    packet.arrival.rest = rest;
    packet.arrival.causes = [
      { from: packet.sent, takes: [delay, sending] },
      ...(ahead ? [{ from: ahead.arrival, takes: [sending] }] : []),
    ];
    if (packet.arrivedUs !== null) ahead = packet;
    else packet.arrival.atUs = Math.max(...packet.arrival.causes.map(readyUs));
  }
}

/** Returns the arrival of the packet in front of this one on the link; undefined for the first packet. */
export const inFrontOf = ({ causes }: LoadEvent): LoadEvent | undefined => causes[1]?.from;

/** Returns how long the link transmits this packet. */
export const sendingUs = ({ causes }: LoadEvent): number => causes[0]!.takes[1]!.us;

/** Sorts packets by arrival. A lost packet comes after the packets that were sent before it. */
function inOrder(packets: readonly PacketEvents[], delayUs: number): PacketEvents[] {
  let lastUs = 0;
  const placed = packets
    .toSorted((a, b) => a.sentUs + a.farUs - b.sentUs - b.farUs)
    .map((packet) => {
      const { arrivedUs, sentUs, farUs } = packet;
      if (arrivedUs !== null) lastUs = Math.max(lastUs, arrivedUs);
      return { packet, atUs: arrivedUs ?? Math.max(lastUs, sentUs + farUs + delayUs) };
    });
  return placed.sort((a, b) => a.atUs - b.atUs).map(({ packet }) => packet);
}

export const arrivalOf = (what: string, packet: TracedPacket, flow: number, opening: boolean): LoadEvent =>
  event(packet.arrivedUs ?? packet.sentUs, what, "unknown", { flow, opening });
