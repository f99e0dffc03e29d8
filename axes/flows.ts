import { announcingAlpn } from "../schema/discovery.ts";
import type { Evidence, FlowEvidence, QuicFlowEvidence } from "../schema/evidence.ts";
import { fullSegmentBytes } from "../schema/link.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries, WebHost } from "../schema/registries.ts";
import { tolerance } from "../schema/tolerances.ts";
import { gonePackets } from "./gone.ts";

export const isOverQuic = ({ protocol }: ConditionValues, { protocols }: Pick<Registries, "protocols">): boolean =>
  protocols[protocol]?.transport === "quic";

/** Whether a load over HTTP/3 may also use TCP, because its browser is not forced to use QUIC (axis `discovery`). */
export const mayUseBoth = (all: ConditionValues, registries: Pick<Registries, "protocols">): boolean =>
  isOverQuic(all, registries) && (all.discovery === "alt-svc" || all.discovery === "remembered");

/** Whether no response came over TCP, so that TCP's settings are not observable. A browser may connect over TCP and QUIC, but use only QUIC. */
export const isWithoutTcp = (
  all: ConditionValues,
  { connections }: Pick<Evidence, "connections">,
  registries: Pick<Registries, "protocols">,
): boolean =>
  isOverQuic(all, registries) &&
  !(mayUseBoth(all, registries) && connections.some(({ protocol }) => protocol === announcingAlpn));

/** For an axis that affects only TCP: its refusal and its verdict over QUIC. @param left the only value allowed over QUIC, which changes nothing */
export const onlyOverTcp = <V>(left: V, what: string) => ({
  refuses: (value: V, all: ConditionValues, registries: Registries): string | null =>
    value !== left && isOverQuic(all, registries)
      ? `${all.protocol} has no TCP, and the lab cannot set QUIC's own ${what}; only ${left}, which changes nothing, is allowed`
      : null,
  notObservable: {
    notObservable: `QUIC's ${what} is the server software's own: the lab cannot set it`,
  },
});

/** How many WebSockets the page tried to open. Each uses a TCP connection of its own with HTTP/1.1, whatever the page's protocol. */
export const socketsOf = ({ unanswered = [] }: Pick<Evidence, "unanswered">): number =>
  unanswered.filter(({ url }) => /^wss?:/.test(url)).length;

/** A connection on which the server sent data, with the connection's name for messages. */
type Used<Flow extends { server: unknown }> = Flow & { server: NonNullable<Flow["server"]>; name: string };
export type UsedFlow = Used<FlowEvidence>;
export type UsedQuicFlow = Used<QuicFlowEvidence>;

/**
 * Counts the QUIC connections to a host that the client gave up during the load, on a link that lost packets. The client sends unanswered requests
 * again over another connection, which may resume the session. Chromium gives up a connection if the server ignores the client's change of port.
 */
export function givenUp(host: string, evidence: Pick<Evidence, "packets" | "link">): number {
  const { quicFlows = [] } = evidence.packets;
  const closed = quicFlows.filter((flow) => flow.host === host && flow.server?.opened?.closed?.by === "client").length;
  if (closed === 0) return 0;
  return gonePackets(evidence) > 0 ? closed : 0;
}

const nameOf = ({ clientPort, host }: { clientPort: number; host: string }) => `connection ${clientPort} to ${host}`;

/** The TCP connections on which the server sent data. Without TLS, it sends none on a connection that the browser opened but never used. */
export const usedFlows = (flows: readonly FlowEvidence[]): UsedFlow[] =>
  flows.flatMap((flow) => {
    const { server } = flow;
    return server && server.sentSegments > 0 ? [{ ...flow, server, name: nameOf(flow) }] : [];
  });

/** The most segments that a server sends on a connection that the browser never uses: a handshake, which long certificates lengthen. */
export function mostUnusedSegments(toHost: readonly Pick<UsedFlow, "server">[]): number {
  const handshakeBytes = Math.max(0, ...toHost.map(({ server }) => server.handshakeBytes ?? 0));
  return tolerance.handshakeSegments + Math.floor(handshakeBytes / fullSegmentBytes);
}

/** The QUIC connections on which the server sent datagrams, as its capture shows. */
export const usedQuicFlows = (flows: readonly QuicFlowEvidence[] = []): UsedQuicFlow[] =>
  flows.flatMap((flow) => {
    const { server } = flow;
    return server && server.sent.datagrams > 0 ? [{ ...flow, server, name: nameOf(flow) }] : [];
  });

export function usedQuicHosts({ packets }: Pick<Evidence, "packets">, { hosts }: Registries): WebHost[] {
  const names = new Set(usedQuicFlows(packets.quicFlows).map(({ host }) => host));
  return hosts.filter(({ name }) => names.has(name));
}
