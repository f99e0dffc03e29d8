/** What loads are replayed in, and what they would take there. */
import { standardWindow } from "../../../models/adaptive-window.ts";
import { type Link, lossPercentOf, rateOf } from "../../../schema/link.ts";
import type { Settings } from "../../../schema/settings.ts";
import type { LoadGraph } from "../load-events.ts";
import { drawnLoss, type Loss, lossAsTraced, noLoss } from "./loss.ts";
import { type Replay, replay, replayedMs } from "./replay.ts";
import type { Side, World } from "./wire.ts";

/** Where chance takes packets a load is replayed so often: the median's own error is then a sixth of the times' spread. */
const draws = 60;

/** The rules are those that are replayed, and the window is one that settings know. */
export const isReplayed = ({ link, route: { server } }: Settings) =>
  server.congestion === "cubic" && !server.adaptive && !link.aqm && !link.jitterMs;

function worldOf({ link, route: { server, client: route }, client }: Settings, loses: (side: Side) => Loss): World {
  const directionOf = (side: Side) => ({
    delayUs: 500 * link.rttMs,
    rateMbps: rateOf(link, side),
    queuePackets: link.queuePackets,
    loses: loses(side),
  });
  return {
    down: directionOf("down"),
    up: directionOf("up"),
    server: { initcwnd: server.initcwnd ?? standardWindow, hystart: server.hystart ?? true },
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

/** The load with other settings: one replay where nothing is lost by chance, else one for each draw. */
export function* otherWorlds(graph: LoadGraph, settings: Settings): Generator<Replay> {
  if (!isReplayed(settings)) return;
  const drawn = (link: Link, draw: number) => (side: Side) =>
    lossPercentOf(link, side) > 0 ? drawnLoss(link, 2 * draw + (side === "down" ? 0 : 1)) : noLoss;
  for (let draw = 0; draw < (settings.link.lossPercent > 0 ? draws : 1); draw++) {
    const replayed = replay(graph, worldOf(settings, drawn(settings.link, draw)));
    if (replayed) yield replayed;
  }
}

/** What it would take, milliseconds. */
export const otherWorldMs = (graph: LoadGraph, settings: Settings): number[] =>
  Array.from(otherWorlds(graph, settings), ({ ms }) => ms);

const packetsOf = ({ connections }: LoadGraph, side: Side) => connections.flatMap(({ flow }) => flow[side].packets);
