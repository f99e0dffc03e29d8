/** What the link makes of one direction's packets: when each would come, by its delay and rate and by those ahead of it. */
import type { DirectionParameters } from "../../schema/evidence.ts";
import { packetMs } from "../../schema/link.ts";
import type { TracedPacket } from "../../schema/trace.ts";
import { event, type LoadEvent, readyUs } from "./event.ts";

/** A packet of a flow with its events. */
export interface PacketEvents extends TracedPacket {
  flow: number;
  /** Among those that its side sent. */
  place: number;
  /** It asks for something: what it lets the other side send is an answer. */
  asks: boolean;
  sent: LoadEvent;
  /** When it came; for one that was lost, when it would have come. */
  arrival: LoadEvent;
}

/** @param packets of all flows in one direction: their arrivals get their causes, and lost ones a time */
export function linkArrivals(packets: readonly PacketEvents[], { delayMs, rateMbps }: DirectionParameters): void {
  let ahead: PacketEvents | null = null;
  for (const packet of inOrder(packets, 1000 * delayMs)) {
    const sending = { part: "rate", us: 1000 * packetMs(packet.frameBytes, rateMbps) } as const;
    const delay = { part: "propagation", us: 1000 * delayMs } as const;
    packet.arrival.causes = [
      { from: packet.sent, takes: [delay, sending] },
      ...(ahead ? [{ from: ahead.arrival, takes: [sending] }] : []),
    ];
    if (packet.arrivedUs !== null) ahead = packet;
    else packet.arrival.atUs = Math.max(...packet.arrival.causes.map(readyUs));
  }
}

/** As they came; a lost one's place is behind those that were sent before it and came. */
function inOrder(packets: readonly PacketEvents[], delayUs: number): PacketEvents[] {
  let lastUs = 0;
  const placed = packets
    .toSorted((a, b) => a.sentUs - b.sentUs)
    .map((packet) => {
      const { arrivedUs, sentUs } = packet;
      if (arrivedUs !== null) lastUs = Math.max(lastUs, arrivedUs);
      return { packet, atUs: arrivedUs ?? Math.max(lastUs, sentUs + delayUs) };
    });
  return placed.sort((a, b) => a.atUs - b.atUs).map(({ packet }) => packet);
}

export const arrivalOf = (what: string, packet: TracedPacket, flow: number, opening: boolean): LoadEvent =>
  event(packet.arrivedUs ?? packet.sentUs, what, "unknown", { flow, opening });
