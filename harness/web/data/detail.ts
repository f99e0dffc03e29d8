/** The details of a load that the report draws. They are the largest part of a report, so their format has to compress well. */
import { largestContentfulMs } from "../../../metrics/contentful-paint.metric.ts";
import type { ConnectionEvidence, Evidence, LinkEvidence, OpenedQuic } from "../../../schema/evidence.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Registries } from "../../../schema/registries.ts";
import type { Trace } from "../../../schema/trace.ts";
import type { Account } from "../../explain/account.ts";
import type { Judgement } from "../../judge/load/load.ts";
import { linkUse } from "./link-use.ts";
import { proofOf } from "./proof.ts";
import { streamViews } from "./stream-view.ts";
import { traceView } from "./trace-view.ts";

/** Collects the paths that a condition's loads request, each path once. */
export class Paths {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  placeOf(path: string): number {
    const place = this.#places.get(path) ?? this.list.push(path) - 1;
    this.#places.set(path, place);
    return place;
  }
}

/** A load's packet trace, and the parts of its time that are computed from the trace. */
export interface Traced {
  trace: Trace;
  account: Account | null;
}

export type EvidenceView = ReturnType<typeof evidenceView>;
export const evidenceView = (
  evidence: Evidence,
  condition: Condition,
  registries: Registries,
  judgement: Judgement | null,
  paths: Paths,
  traced: Traced | null,
) => ({
  timing: evidence.timing,
  /** null if the record has no paint times. */
  paint: evidence.paint ? { ...evidence.paint, largestContentfulMs: largestContentfulMs(evidence.paint) } : null,
  connections: evidence.connections.map((connection) => connectionView(connection, paths)),
  flows: flowsOf(evidence),
  link: { down: countersOf(evidence.link.down), up: countersOf(evidence.link.up) },
  /** null if the link's rate is constant and no background flow shares it. */
  linkUse: linkUse(evidence, condition, traced?.trace ?? null),
  proof: proofOf(evidence, condition, registries, judgement),
  /** null if no packet trace was kept. */
  trace: traced && {
    ...traceView(traced.trace, traced.account),
    streams: streamViews(evidence.connections, traced.trace, (path) => paths.placeOf(path)),
  },
});

const tenths = (ms: number) => Math.round(10 * ms);
const since = (startMs: number, ms: number | null | undefined) => (ms == null ? -1 : tenths(ms - startMs));

export type ConnectionView = ReturnType<typeof connectionView>;
const connectionView = ({ host, protocol, tls, requests }: ConnectionEvidence, paths: Paths) => ({
  host,
  protocol,
  tls: tls ? `${tls.version}, ${tls.group}` : "",
  /** Stored by column, which compresses well; times are in tenths of a millisecond. */
  requests: {
    /** Indexes in the condition's list of paths. */
    path: requests.map(({ path }) => paths.placeOf(path)),
    status: requests.map(({ status }) => status),
    bytes: requests.map(({ bytes }) => bytes),
    start: requests.map(({ startMs }) => tenths(startMs)),
    /** Time from a request's start to the response's last byte; -1 if that byte never arrived. */
    took: requests.map(({ startMs, endMs }) => since(startMs, endMs)),
    /** Time from a request's start until the browser sent the request, and until the response's headers arrived; -1 if unknown. */
    sent: requests.map(({ startMs, sentMs }) => since(startMs, sentMs)),
    answered: requests.map(({ startMs, answeredMs }) => since(startMs, answeredMs)),
  },
});

const flowsOf = ({ packets: { flows, quicFlows = [] } }: Evidence) => [
  ...flows.map(({ host, clientPort: port, handshakeMs, server }) => ({
    ...{ host, port, handshakeMs },
    sent: server?.sentSegments ?? 0,
    retransmitted: server?.retransmittedSegments ?? 0,
    note: server
      ? `${server.congestion ?? "unknown congestion control"}, first flight ${server.firstFlightSegments}`
      : "never reached its server",
  })),
  ...quicFlows.map(({ host, clientPort: port, handshakeMs, server }) => ({
    ...{ host, port, handshakeMs },
    sent: server?.sent.datagrams ?? 0,
    retransmitted: server?.opened?.lostPackets ?? 0,
    note: server?.opened ? openedNote(server.opened) : "QUIC: its packets were not decrypted",
  })),
];

function openedNote({ initialWindowAtLeastBytes, repeatedBytes }: OpenedQuic): string {
  const window = initialWindowAtLeastBytes === null ? "unknown" : `at least ${initialWindowAtLeastBytes} bytes`;
  return `QUIC: "retransmitted" is the number of lost packets; initial window ${window}; ${repeatedBytes} bytes repeated`;
}

const countersOf = ({ sentPackets, sentBytes, lostPackets, queueDroppedPackets }: LinkEvidence["down"]) => ({
  ...{ sentPackets, sentBytes, lostPackets, queueDroppedPackets },
});
