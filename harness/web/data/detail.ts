/** What one load left behind, as the report draws it. */
import type { ConnectionEvidence, Evidence, LinkEvidence } from "../../../schema/evidence.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Registries } from "../../../schema/registries.ts";
import type { Trace } from "../../../schema/trace.ts";
import type { Account } from "../../explain/account.ts";
import type { Judgement } from "../../judge/load.ts";
import type { ConnectionView, DirectionView, EvidenceView, FlowView } from "./load-model.ts";
import { proofOf } from "./proof.ts";
import { traceView } from "./trace-view.ts";

/** A condition's paths, each once. */
export class Paths {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  placeOf(path: string): number {
    const place = this.#places.get(path) ?? this.list.push(path) - 1;
    this.#places.set(path, place);
    return place;
  }
}

/** A load's packets, and where its time went by them. */
export interface Traced {
  trace: Trace;
  account: Account | null;
}

export const evidenceView = (
  evidence: Evidence,
  condition: Condition,
  registries: Registries,
  judgement: Judgement | null,
  paths: Paths,
  traced: Traced | null,
): EvidenceView => ({
  timing: evidence.timing,
  paint: evidence.paint ?? null,
  connections: evidence.connections.map((connection) => connectionView(connection, paths)),
  flows: flowsOf(evidence),
  link: { down: directionView(evidence.link.down), up: directionView(evidence.link.up) },
  proof: proofOf(evidence, condition, registries, judgement),
  trace: traced && traceView(traced.trace, traced.account),
});

const tenths = (ms: number) => Math.round(10 * ms);
const since = (startMs: number, ms: number | null | undefined) => (ms == null ? -1 : tenths(ms - startMs));

function connectionView({ host, protocol, tls, requests }: ConnectionEvidence, paths: Paths): ConnectionView {
  return {
    host,
    protocol,
    tls: tls ? `${tls.version}, ${tls.group}` : "",
    requests: {
      path: requests.map(({ path }) => paths.placeOf(path)),
      status: requests.map(({ status }) => status),
      bytes: requests.map(({ bytes }) => bytes),
      start: requests.map(({ startMs }) => tenths(startMs)),
      took: requests.map(({ startMs, endMs }) => since(startMs, endMs)),
      sent: requests.map(({ startMs, sentMs }) => since(startMs, sentMs)),
      answered: requests.map(({ startMs, answeredMs }) => since(startMs, answeredMs)),
    },
  };
}

const flowsOf = ({ packets: { flows, quicFlows = [] } }: Evidence): FlowView[] => [
  ...flows.map(
    ({ host, clientPort, handshakeMs, server }): FlowView => ({
      host,
      port: clientPort,
      handshakeMs,
      sent: server?.sentSegments ?? 0,
      retransmitted: server?.retransmittedSegments ?? 0,
      note: server
        ? `${server.congestion ?? "unknown congestion control"}, first flight ${server.firstFlightSegments}`
        : "never reached its server",
    }),
  ),
  ...quicFlows.map(
    ({ host, clientPort, handshakeMs, server }): FlowView => ({
      host,
      port: clientPort,
      handshakeMs,
      sent: server?.sent.datagrams ?? 0,
      retransmitted: 0,
      note: "QUIC: encryption hides which packets are retransmissions",
    }),
  ),
];

const directionView = ({
  sentPackets,
  sentBytes,
  lostPackets,
  queueDroppedPackets,
}: LinkEvidence["down"]): DirectionView => ({
  sentPackets,
  sentBytes,
  lostPackets,
  queueDroppedPackets,
});
