/** What loads are replayed in, and what they would take there. */
import { type Link, lossPercentOf, rateOf } from "../../../schema/link.ts";
import type { Settings } from "../../../schema/settings.ts";
import type { LoadGraph } from "../load-events.ts";
import { drawnLoss, type Loss, lossAsTraced, noLoss } from "./loss.ts";
import { replayedMs } from "./replay.ts";
import type { World } from "./wire.ts";

type Side = "down" | "up";

/** Linux's own, where none is asked for (RFC 6928). */
const ownWindow = 10;

/** Where chance takes packets a load is replayed so often: the median's own error is then a quarter of the times' spread. */
const draws = 20;

/** The rules are those that are replayed. */
const isReplayed = ({ link, route: { server } }: Settings) =>
  server.congestion === "cubic" && !link.aqm && !link.jitterMs;

export function worldOf(
  { link, route: { server, client: route }, client }: Settings,
  loses: (side: Side) => Loss,
): World {
  const directionOf = (side: Side) => ({
    delayUs: 500 * link.rttMs,
    rateMbps: rateOf(link, side),
    queuePackets: link.queuePackets,
    loses: loses(side),
  });
  return {
    down: directionOf("down"),
    up: directionOf("up"),
    server: { initcwnd: server.initcwnd ?? ownWindow, hystart: server.hystart ?? true },
    hasLinuxWindow: route.initrwnd === undefined && Object.keys(client.sysctls).length === 0,
  };
}

/** @returns milliseconds, with the packets lost that were; null where it cannot be told */
export function ownWorldMs(graph: LoadGraph, settings: Settings): number | null {
  if (!isReplayed(settings)) return null;
  return replayedMs(
    graph,
    worldOf(settings, (side) => lossAsTraced(packetsOf(graph, side), settings.link)),
  );
}

/** What the load would take with other settings: milliseconds, one time where nothing is lost by chance, else one for each draw. */
export function otherWorldMs(graph: LoadGraph, settings: Settings): number[] {
  if (!isReplayed(settings)) return [];
  const drawn = (link: Link, draw: number) => (side: Side) =>
    lossPercentOf(link, side) > 0 ? drawnLoss(link, 2 * draw + (side === "down" ? 0 : 1)) : noLoss;
  const times = Array.from({ length: settings.link.lossPercent > 0 ? draws : 1 }, (_, draw) =>
    replayedMs(graph, worldOf(settings, drawn(settings.link, draw))),
  );
  return times.filter((ms) => ms !== null);
}

const packetsOf = ({ connections }: LoadGraph, side: Side) => connections.flatMap(({ flow }) => flow[side].packets);
