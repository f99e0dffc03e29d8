import { announcingAlpn } from "../schema/discovery.ts";
import type { ConnectionEvidence, FlowEvidence, HandshakeKind, QuicFlowEvidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import { entryOf } from "../schema/registries.ts";
import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { mostConnections } from "./expected.ts";
import {
  givenUp,
  mayUseBoth,
  mostUnusedSegments,
  socketsOf,
  type UsedFlow,
  type UsedQuicFlow,
  usedFlows,
  usedQuicFlows,
} from "./flows.ts";
import { name } from "./values.ts";

const handshakeWords: Record<HandshakeKind, string> = {
  full: "a TLS handshake, but none is expected",
  resumed: "a resumed TLS session",
  none: "a response in the clear",
  unknown: "a TLS handshake of unknown kind",
};

/** Full or resumed: the axis `handshake` distinguishes them. */
const hasHandshake = (tls: HandshakeKind) => tls === "full" || tls === "resumed";

/**
 * A Retry is allowed only if the client's first packet was missing, because a server need not keep the rest of a ClientHello before it has
 * validated the client's address (RFC 9000, section 8.1).
 */
function quicProblems(
  { name: flow, server: { tls, longHeaders, startMissed } }: UsedQuicFlow,
  { handshake }: ConditionValues,
): string[] {
  const { zeroRtt, retry } = longHeaders;
  return [
    ...(hasHandshake(tls) ? [] : [handshakeWords[tls]]),
    ...(zeroRtt > 0 && handshake !== "0-rtt" ? [`${zeroRtt} packets of early data (0-RTT)`] : []),
    ...(retry > 0 && !startMissed ? ["the server sent a Retry, which takes a round trip"] : []),
  ].map((problem) => `${flow}: ${problem}`);
}

/**
 * Each connection's ClientHello in the server's capture must offer the protocol (ALPN), and a client that is not a browser must offer
 * no other. TLS 1.3 encrypts the server's choice, which the client reports. A browser's hello may be too long for the capture.
 */
function offerProblems(flows: readonly UsedFlow[], alpn: string, isAlone: boolean): string[] {
  return flows.flatMap(({ name: flow, server: { offered } }) => {
    if (!offered) return isAlone ? [`${flow}: its ClientHello was not seen to offer ${alpn}`] : [];
    if (isAlone ? offered.join() === alpn : offered.includes(alpn)) return [];
    return [`${flow}: its ClientHello offers ${offered.join(", ")}; ${isAlone ? "only " : ""}${alpn} expected`];
  });
}

declare module "../schema/plan.ts" {
  interface AxisValues {
    protocol: string;
  }
}

/** Confirmed by the protocol of each response, the connections that the client used, and each connection's TLS handshake. */
export const axis = defineAxis({
  name: "protocol",
  title: "what client and server speak (servers/protocols.yml)",
  example: "h2",
  follows: "aqm",
  field: "protocol",
  value: name,
  usual: "h2",
  known: ({ protocols }) => Object.keys(protocols),
  id: (protocol) => protocol,
  sets: (protocol) => ({ page: { protocol } }),
  refuses(protocol, { server, client }, { servers, clients }) {
    const [ofServer, ofClient] = [servers[server]?.protocols ?? [], clients[client]?.protocols ?? []];
    if (!ofServer.includes(protocol)) return `${server} does not speak ${protocol}; it speaks ${ofServer.join(", ")}`;
    if (!ofClient.includes(protocol)) return `${client} does not speak ${protocol}; it speaks ${ofClient.join(", ")}`;
    return null;
  },
  proves(protocol, all, evidence, registries) {
    const { connections, unanswered, packets } = evidence;
    const { flows, quicFlows = [] } = packets;
    const { alpn, scheme, transport } = entryOf(registries.protocols, "protocols", protocol);
    const { replays } = registries.clients[all.client] ?? {};
    // Without keep-alive each request has its own connection; the axis `keepAlive` checks how many are open at a time.
    const most = all.keepAlive === "off" ? Number.POSITIVE_INFINITY : mostConnections(all, registries);
    // Unless HTTP/3 is forced, the browser decides when it switches; the axis `discovery` checks the announcement.
    const both = mayUseBoth(all, registries);
    const spoken = both ? [alpn, announcingAlpn] : [alpn];
    const answers = connections.flatMap((connection) => connection.requests.map(() => connection.protocol));
    const other = answers.filter((one) => !spoken.includes(one));
    const hosts = [...new Set(connections.map(({ host }) => host))];
    const shared = connections.find(
      ({ id, host }) => id !== null && connections.some((one) => one.id === id && one.host !== host),
    );
    const sockets = socketsOf({ unanswered });
    return verdictOf([
      ...(other.length ? [`${other.length} responses over ${[...new Set(other)].join(", ")} instead of ${alpn}`] : []),
      ...hosts.flatMap((host) =>
        spoken.flatMap((one) => {
          const over = both ? connections.filter(({ protocol }) => protocol === one) : connections;
          const isQuic = transport === "quic" && one === alpn;
          const own = connectionsTo(host, over, isQuic ? overQuic(quicFlows) : overTcp(flows));
          const allowed = isQuic ? most + givenUp(host, evidence) : most;
          return own > allowed ? [`${own} connections to ${host}; at most ${allowed} expected`] : [];
        }),
      ),
      ...(shared ? [`connection ${shared.id} is shared by several hosts`] : []),
      ...(transport === "quic" && !both ? usedFlows(flows).slice(sockets) : []).map(
        ({ name: flow }) => `${flow}: TCP instead of QUIC for ${alpn}`,
      ),
      ...(transport === "quic" && !both ? [] : usedFlows(flows)).flatMap(({ name: flow, server: { tls } }) => {
        if (scheme === "https" ? hasHandshake(tls) : tls === "none") return [];
        return [`${flow}: ${handshakeWords[tls]}`];
      }),
      ...(scheme === "https" && (transport === "tcp" || both)
        ? offerProblems(usedFlows(flows), both ? announcingAlpn : alpn, replays !== undefined).slice(sockets)
        : []),
      ...(transport === "quic"
        ? usedQuicFlows(quicFlows).flatMap((flow) => quicProblems(flow, all))
        : quicFlows.map(({ clientPort, host }) => `connection ${clientPort} to ${host}: QUIC`)),
    ]);
  },
});

/** Counts the connections to a host that the client reports. Without reports, counts the captured ones with more packets than a handshake. */
function connectionsTo(
  host: string,
  connections: readonly ConnectionEvidence[],
  captured: readonly { host: string; packets: number; unused: number }[],
): number {
  const own = connections.filter((connection) => connection.host === host);
  if (own.every(({ id }) => id !== null)) return own.length;
  return captured.filter((one) => one.host === host && one.packets > one.unused).length;
}

function overTcp(flows: readonly FlowEvidence[]) {
  const used = usedFlows(flows);
  return used.map(({ host, server }) => {
    const unused = mostUnusedSegments(used.filter((one) => one.host === host));
    return { host, packets: server.sentSegments, unused };
  });
}
const overQuic = (flows: readonly QuicFlowEvidence[]) =>
  usedQuicFlows(flows).map(({ host, server }) => ({
    host,
    packets: server.sent.datagrams,
    unused: tolerance.handshakeSegments,
  }));
