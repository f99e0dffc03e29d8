/** What a load is replayed in: a condition's link and server, and what the trace says was lost by chance. */
import { type Link, rateOf } from "../../../schema/link.ts";
import type { Settings } from "../../../schema/settings.ts";
import type { LoadGraph } from "../load-events.ts";
import { lossAsTraced, noLoss } from "./loss.ts";
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
    loses:
      link.lossPercent > 0
        ? lossAsTraced(
            connections.flatMap(({ flow }) => flow[side].packets),
            from,
          )
        : noLoss,
  });
  return {
    down: directionOf("down"),
    up: directionOf("up"),
    server: { initcwnd: server.initcwnd ?? ownWindow, hystart: server.hystart ?? true },
  };
}
