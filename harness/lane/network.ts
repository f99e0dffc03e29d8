/** Collects what every host observed of a load's packets, while the load's connections are still open. */
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../../hosts/control.ts";
import { serverRoutes, shaperRoutes } from "../../hosts/routes.ts";
import { maxQuickacks, synLinearTimeouts, sysctlNumber } from "../../hosts/sysctls.ts";
import { backgroundEvidence, type FlowsTold } from "../../observe/background-traffic.ts";
import { type ConnectionSecrets, readKeyLog } from "../../observe/key-log.ts";
import { loadSpans } from "../../observe/load-spans.ts";
import { metricsSaved, type Observer, type PacketObservation } from "../../observe/observer.ts";
import { roundedMs } from "../../observe/packet.ts";
import { type Beginnings, traceOf } from "../../observe/packet-trace.ts";
import type { TcpAccount } from "../../observe/tcp-events.ts";
import type { BackgroundEvidence } from "../../schema/background.ts";
import type { LinkEvidence, PacketEvidence, TraceEvidence } from "../../schema/evidence.ts";
import type { CaptureSummary, LinkReading, ServerObservation, Span, Spans } from "../../schema/observation.ts";
import type { WebHost } from "../../schema/registries.ts";
import type { Trace } from "../../schema/trace.ts";
import { nothingTold } from "./background.ts";
import { flowEvidence, quicFlowEvidence, round } from "./flow-evidence.ts";
import { directionEvidence, pathEvidence } from "./path-evidence.ts";
import { type ToldByServers, toldByServers } from "./told-by-servers.ts";

/** A packet takes at most this many milliseconds from one host's capture to the next host. The hosts' clocks differ by at most this time. */
const slackMs = 10;
/** On a link with a higher rate, more packets pass within `slackMs` than the allowed uncertainty of a count (tolerance.unsurePackets). */
const fastMbps = 100;

export interface NetworkEvidence extends ToldByServers {
  link: LinkEvidence;
  packets: PacketEvidence;
  background?: BackgroundEvidence;
  /** The hosts whose TCP saves metrics of earlier connections. */
  metricsSaved: string[];
  hystart: boolean | null;
  maxQuickacks: number | null;
  synLinearTimeouts: number | null;
}

export interface Timed<T> {
  result: T;
  span: Span;
}

interface LoadContext {
  keyLog: string;
  /** The offset at which the link began in its rate's trace. */
  offsetMs?: number | undefined;
  /** The time from the request of the page until the page had loaded. */
  load: Span;
  flows?: FlowsTold | undefined;
  /** The kernel's record of TCP states; null if it has none. */
  accounts: readonly TcpAccount[] | null;
}

export async function timed<T>(action: () => Promise<T>): Promise<Timed<T>> {
  const fromMs = Date.now();
  const result = await action();
  return { result, span: { fromMs, toMs: Date.now() + 1 } };
}

/** @param linkAtStart the link's first reading; its span is when the link's counters started @param beginnings null for a load without a trace */
export async function observeNetwork(
  observer: Observer,
  hosts: readonly WebHost[],
  linkAtStart: Timed<LinkReading>,
  beginnings: Beginnings | null,
  { keyLog, offsetMs = 0, load, flows = nothingTold, accounts }: LoadContext,
): Promise<NetworkEvidence & { trace: Trace | null }> {
  const { result: atStart, span: reset } = linkAtStart;
  const { atEnd, read, spans, client, servers } = await readHosts(observer, hosts, linkAtStart, keyLog);
  const { startedMs } = atStart;
  const link = {
    down: directionEvidence(atStart.down, atEnd.down, [client]),
    up: directionEvidence(atStart.up, atEnd.up, servers),
    ...(startedMs !== undefined && { trace: traceEvidence(startedMs, offsetMs, beginnings, read) }),
  };
  const secrets = readKeyLog(keyLog);
  const arrived = {
    down: client.sightings.arrived,
    up: servers.flatMap(({ sightings }) => sightings.arrived),
  };
  const background = backgroundEvidence(
    { packets: client.background, arrived },
    load,
    { fromMs: reset.fromMs, toMs: read.toMs },
    { ...flows, pageWindows: servers.flatMap(({ pageWindows = [] }) => pageWindows) },
  );
  return {
    trace: beginnings && traceOf(client, servers, beginnings, secrets, accounts),
    link,
    packets: packetEvidence(client, servers, hosts, { link, spans, secrets, startedMs }),
    ...(background && { background }),
    hystart: servers.every(({ hystart }) => hystart === servers[0]?.hystart) ? (servers[0]?.hystart ?? null) : null,
    maxQuickacks: sysctlNumber(maxQuickacks),
    synLinearTimeouts: sysctlNumber(synLinearTimeouts),
    ...toldByServers(hosts, servers),
    metricsSaved: [
      ...(metricsSaved() ? ["harness"] : []),
      ...hosts.filter((_, i) => servers[i]!.metricsSaved).map(({ service }) => service),
    ],
  };
}

/** Reads the link's counters, then every host's packets of the time that the counters cover. */
async function readHosts(
  observer: Observer,
  hosts: readonly WebHost[],
  { result: atStart, span: reset }: Timed<LinkReading>,
  keyLog: string,
) {
  // On a fast link, the last packets must be older than the slack when the link's counters are read.
  if (Math.max(atStart.down.is.rateMbps, atStart.up.is.rateMbps) > fastMbps) await sleep(2 * slackMs);
  const { result: atEnd, span: read } = await timed(() => ask("shaper", shaperRoutes.readLink));
  const spans: Spans = {
    inner: { fromMs: reset.toMs + slackMs, toMs: read.fromMs - slackMs },
    outer: { fromMs: reset.fromMs - slackMs, toMs: read.toMs + slackMs },
  };
  const asked = Promise.all(hosts.map(({ service }) => ask(service, serverRoutes.observe, { spans, keyLog })));
  asked.catch(() => {}); // otherwise Node.js would end the process if this fails before it is awaited below
  // The client reads its packets while the servers read theirs, once no further packet can belong to the load.
  await sleep(Math.max(0, spans.outer.toMs - Date.now()));
  const client = observer.observe(spans);
  return { atEnd, read, spans, client, servers: await asked };
}

const traceEvidence = (
  startedMs: number,
  offsetMs: number,
  beginnings: Beginnings | null,
  read: Span,
): TraceEvidence => ({
  offsetMs,
  navigationMs: beginnings && round(beginnings.navigationMs - startedMs),
  readMs: [roundedMs(read.fromMs - startedMs), roundedMs(read.toMs - startedMs)],
});

function packetEvidence(
  client: PacketObservation,
  servers: ServerObservation[],
  hosts: readonly WebHost[],
  {
    link,
    spans,
    secrets,
    startedMs,
  }: { link: LinkEvidence; spans: Spans; secrets: readonly ConnectionSecrets[]; startedMs: number | undefined },
): PacketEvidence {
  const all = [client, ...servers];
  const moments = loadSpans(client.packets, client.quic, secrets);
  const path = (senders: CaptureSummary[], counters: LinkEvidence["down"], receivers: CaptureSummary[]) =>
    pathEvidence(senders, counters, receivers, spans, startedMs);
  return {
    synToRequestMs: round(moments.synToRequestMs),
    requestToLastDataMs: round(moments.requestToLastDataMs),
    requestToLastAckMs: round(moments.requestToLastAckMs),
    path: { down: path(servers, link.down, [client]), up: path([client], link.up, servers) },
    largestFrameBytes: all.reduce((most, { largestFrameBytes }) => Math.max(most, largestFrameBytes), 0),
    missedFrames: all.reduce((sum, { missedFrames }) => sum + missedFrames, 0),
    foreign: [...new Set(all.flatMap(({ foreign }) => foreign))],
    flows: flowEvidence(client, servers, hosts),
    quicFlows: quicFlowEvidence(client, servers, hosts),
  };
}
