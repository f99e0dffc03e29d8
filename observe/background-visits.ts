/** Evidence of the visits to a background page. The client's capture shows the visits, the server's capture shows their initial windows. */
import { type BackgroundVisit, backgroundPorts, type SenderState } from "../schema/background.ts";
import type { ServerObservation, Span } from "../schema/observation.ts";
import type { WindowBounds } from "../schema/packet-evidence.ts";
import { initialWindow } from "./initial-window.ts";
import { beyond, endOf, type Packet, portOf, roundedMs } from "./packet.ts";
import { type Conversation, conversations } from "./tcp-flows.ts";

export type PageWindows = NonNullable<ServerObservation["pageWindows"]>;

export const isOfPage = ({ server }: Conversation) => server.endsWith(`:${backgroundPorts.page}`);

/** Bounds of the initial windows of the background page's connections. @param packets the background packets in the server's capture */
export const pageWindows = (packets: readonly Packet[]): PageWindows =>
  conversations(packets)
    .filter(isOfPage)
    .flatMap(({ client, packets: all }) => {
      const bounds = initialWindow(all);
      return bounds ? [{ client, ...bounds }] : [];
    });

/** @param flows the background page's connections, in the order of their SYNs */
export function backgroundVisits(
  flows: readonly Conversation[],
  load: Span,
  senders: readonly SenderState[],
  windows: PageWindows,
): BackgroundVisit[] {
  return groupedByVisit(flows).map((visit) => {
    const endMs = endOfVisit(visit);
    const ports = new Set(visit.map(({ client }) => portOf(client)));
    const initcwnd = boundsOf(windows.filter((one) => visit.some(({ client }) => client === one.client)));
    const controls = senders.flatMap(({ clientPort, congestion }) => (ports.has(clientPort) ? [congestion] : []));
    return {
      openedMs: roundedMs(load.fromMs - openedMs(visit[0]!)),
      ...(endMs <= load.toMs && { endedMs: roundedMs(endMs - load.fromMs) }),
      connections: visit.length,
      ...(controls.length > 0 && endMs > load.toMs && { congestion: [...new Set(controls)].sort().join(", ") }),
      ...(initcwnd && { initcwnd }),
      bytes: visit.reduce((sum, flow) => sum + arrivedBytes(flow), 0),
    };
  });
}

/** Combines the bounds of a visit's connections, which all have the same initial window. */
function boundsOf(windows: readonly WindowBounds[]): WindowBounds | null {
  if (windows.length === 0) return null;
  const atMost = windows.flatMap(({ atMost }) => atMost ?? []);
  return {
    atLeast: Math.max(...windows.map(({ atLeast }) => atLeast)),
    atMost: atMost.length > 0 ? Math.min(...atMost) : null,
  };
}

/** Groups connections by visit. A visit's connections end together, before the next visit's connections begin. */
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

/** Counts the bytes of the server's stream up to the last byte that a captured packet carried. */
function arrivedBytes({ packets }: Conversation): number {
  const opening = packets.find(({ packet, fromClient }) => !fromClient && packet.syn)?.packet;
  if (!opening) return 0;
  const ends = packets.flatMap(({ packet, fromClient }) =>
    fromClient || packet.payloadBytes === 0 ? [] : [beyond(endOf(packet), opening.sequence + 1)],
  );
  return Math.max(0, ...ends);
}
