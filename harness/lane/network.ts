/** The network's account of a load, gathered from every host while the load's connections are still open. */
import { ask } from "../../hosts/control.ts";
import { serverRoutes, shaperRoutes } from "../../hosts/routes.ts";
import { clientFlows, requestToLastAckMs } from "../../observe/flows.ts";
import { metricsSaved, type Observer, type PacketObservation } from "../../observe/observer.ts";
import type {
  CountBounds,
  DirectionCounters,
  FlowEvidence,
  LinkEvidence,
  PacketEvidence,
  PathEvidence,
} from "../../schema/evidence.ts";
import type { ServerObservation, Span, Spans } from "../../schema/observation.ts";
import type { WebHost } from "../../schema/registries.ts";

/** How long a packet may take from one host's capture to the next host, and a clock reading be off, milliseconds. */
const slackMs = 10;

export interface NetworkEvidence {
  link: LinkEvidence;
  packets: PacketEvidence;
  /** The hosts whose TCP remembers earlier connections. */
  metricsSaved: string[];
}

/** Do something, and say when. */
export async function timed<T>(action: () => Promise<T>): Promise<{ result: T; span: Span }> {
  const fromMs = Date.now();
  const result = await action();
  return { result, span: { fromMs, toMs: Date.now() + 1 } };
}

/**
 * @param observer of the client's device
 * @param hosts the web hosts: service -> host name by address
 * @param reset when the link was made: the shaper counts from some moment in it on
 */
export async function observeNetwork(
  observer: Observer,
  hosts: readonly WebHost[],
  reset: Span,
): Promise<NetworkEvidence> {
  const { result: link, span: read } = await timed(() => ask("shaper", shaperRoutes.readLink));
  const spans: Spans = {
    inner: { fromMs: reset.toMs + slackMs, toMs: read.fromMs - slackMs },
    outer: { fromMs: reset.fromMs - slackMs, toMs: read.toMs + slackMs },
  };
  const servers = await Promise.all(hosts.map(({ service }) => ask(service, serverRoutes.observe, spans)));
  const client = observer.observe(spans);
  return {
    link,
    packets: packetEvidence(client, servers, hosts, link),
    metricsSaved: [
      ...(metricsSaved() ? ["harness"] : []),
      ...hosts.filter((_, i) => servers[i]!.metricsSaved).map(({ service }) => service),
    ],
  };
}

function packetEvidence(
  client: PacketObservation,
  servers: ServerObservation[],
  hosts: readonly WebHost[],
  link: LinkEvidence,
): PacketEvidence {
  const all = [client, ...servers];
  const total = (of: (server: ServerObservation) => CountBounds): CountBounds => ({
    atLeast: servers.reduce((sum, server) => sum + of(server).atLeast, 0),
    atMost: servers.reduce((sum, server) => sum + of(server).atMost, 0),
  });
  return {
    requestToLastAckMs: round(requestToLastAckMs(client.packets)),
    path: {
      down: pathEvidence(
        total(({ sent }) => sent),
        link.down,
        client.arrived,
      ),
      up: pathEvidence(
        client.sent,
        link.up,
        total(({ arrived }) => arrived),
      ),
    },
    largestFrameBytes: all.reduce((most, { largestFrameBytes }) => Math.max(most, largestFrameBytes), 0),
    missedFrames: all.reduce((sum, { missedFrames }) => sum + missedFrames, 0),
    foreign: [...new Set(all.flatMap(({ foreign }) => foreign))],
    flows: flowEvidence(client, servers, hosts),
  };
}

function pathEvidence(
  sent: CountBounds,
  { sentPackets, lostPackets, queueDroppedPackets, queuedPackets }: DirectionCounters,
  arrived: CountBounds,
): PathEvidence {
  return {
    sentPackets: sent,
    shapedPackets: sentPackets + lostPackets + queueDroppedPackets + queuedPackets,
    forwardedPackets: sentPackets,
    arrivedPackets: arrived,
  };
}

/** Every connection that either end saw. */
function flowEvidence(
  client: PacketObservation,
  servers: ServerObservation[],
  hosts: readonly WebHost[],
): FlowEvidence[] {
  const atServer = new Map(servers.flatMap(({ flows }) => flows).map((flow) => [flow.client, flow]));
  return clientFlows(client.packets).map((flow) => {
    const seen = atServer.get(flow.client);
    return {
      host: hosts.find(({ address }) => flow.server.startsWith(`${address}:`))?.name ?? flow.server,
      clientPort: Number(flow.client.split(":")[1]),
      handshakeMs: round(flow.handshakeMs),
      upRetransmittedSegments: flow.retransmittedSegments,
      turnMs: round(flow.turnMs),
      receiveWindow: flow.receiveWindow,
      server: seen ? withoutEnds(seen) : null,
    };
  });
}

const withoutEnds = ({
  client: _,
  server: __,
  turnMs,
  ...seen
}: ServerObservation["flows"][number]): FlowEvidence["server"] => ({
  ...seen,
  turnMs: round(turnMs ?? null),
});

const round = (ms: number | null) => (ms === null ? null : Math.round(ms * 1000) / 1000);
