/** What the client's capture shows of another page's visits. */
import type { BackgroundVisit, SenderState } from "../schema/background.ts";
import type { Span } from "../schema/observation.ts";
import { beyond, endOf } from "./packet.ts";
import type { Conversation } from "./tcp-flows.ts";

/** @param flows the page's connections, in the order of their SYNs */
export function backgroundVisits(
  flows: readonly Conversation[],
  load: Span,
  senders: readonly SenderState[],
): BackgroundVisit[] {
  return groupedByVisit(flows).map((visit) => {
    const endMs = endOfVisit(visit);
    const ports = new Set(visit.map(({ client }) => Number(client.split(":")[1])));
    const controls = senders.flatMap(({ clientPort, congestion }) => (ports.has(clientPort) ? [congestion] : []));
    return {
      openedMs: rounded(load.fromMs - openedMs(visit[0]!)),
      ...(endMs <= load.toMs && { endedMs: rounded(endMs - load.fromMs) }),
      connections: visit.length,
      ...(controls.length > 0 && endMs > load.toMs && { congestion: [...new Set(controls)].sort().join(", ") }),
      bytes: visit.reduce((sum, flow) => sum + arrivedBytes(flow), 0),
    };
  });
}

/** A visit's connections end together, before those of the next one begin. */
function groupedByVisit(flows: readonly Conversation[]): Conversation[][] {
  const visits: Conversation[][] = [];
  for (const flow of flows) {
    const last = visits.at(-1);
    if (last && endOfVisit(last) > openedMs(flow)) last.push(flow);
    else visits.push([flow]);
  }
  return visits;
}

const openedMs = ({ packets }: Conversation) => packets[0]!.packet.timeMs;

const endOfVisit = (visit: readonly Conversation[]) =>
  Math.min(
    ...visit.map(
      ({ packets }) =>
        packets.find(({ packet: { fin, reset } }) => fin || reset)?.packet.timeMs ?? Number.POSITIVE_INFINITY,
    ),
  );

/** How far the packets from the server reach into its stream. */
function arrivedBytes({ packets }: Conversation): number {
  const opening = packets.find(({ packet, fromClient }) => !fromClient && packet.syn)?.packet;
  if (!opening) return 0;
  const ends = packets.flatMap(({ packet, fromClient }) =>
    fromClient || packet.payloadBytes === 0 ? [] : [beyond(endOf(packet), opening.sequence + 1)],
  );
  return Math.max(0, ...ends);
}

const rounded = (ms: number) => Math.round(ms * 1000) / 1000;
