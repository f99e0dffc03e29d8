/** What a load is replayed in: a condition's link and server, and what the trace says was lost by chance. */
import { type Link, rateOf } from "../../../schema/link.ts";
import type { Settings } from "../../../schema/settings.ts";
import type { PacketEvents } from "../link-events.ts";
import type { LoadGraph } from "../load-events.ts";
import type { World } from "./replay.ts";

/** Linux's own, where none is asked for (RFC 6928). */
const ownWindow = 10;

/** @returns null where the rules are not those that are replayed @param from the link that the load was made on */
export function worldOf({ connections }: LoadGraph, from: Link, { link, route: { server } }: Settings): World | null {
  if (server.congestion !== "cubic" || link.aqm || link.jitterMs) return null;
  const directionOf = (side: "down" | "up") => ({
    delayUs: 500 * link.rttMs,
    rateMbps: rateOf(link, side),
    queuePackets: link.queuePackets,
    lost:
      link.lossPercent > 0
        ? lostByChance(
            connections.flatMap(({ flow }) => flow[side].packets),
            from,
          )
        : new Set<number>(),
  });
  return {
    down: directionOf("down"),
    up: directionOf("up"),
    server: { initcwnd: server.initcwnd ?? ownWindow, hystart: server.hystart ?? true },
  };
}

/** Which packets, in the order of their sending, did not come although the queue had room. */
export function lostByChance(packets: readonly PacketEvents[], { rttMs, queuePackets }: Link): Set<number> {
  const entersUs = ({ sentUs }: PacketEvents) => sentUs + 500 * rttMs;
  const inOrder = packets.toSorted((a, b) => a.sentUs - b.sentUs);
  const lost = new Set<number>();
  for (const [i, packet] of inOrder.entries()) {
    if (packet.arrivedUs !== null) continue;
    let ahead = 0;
    for (const other of inOrder.slice(Math.max(0, i - 4 * queuePackets), i))
      if (other.arrivedUs !== null && other.arrivedUs > entersUs(packet)) ahead++;
    if (ahead < queuePackets) lost.add(i);
  }
  return lost;
}
