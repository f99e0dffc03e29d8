/** Collects evidence about every TCP and QUIC connection in the client's capture, with figures from this capture and from the server's capture. */
import type { PacketObservation } from "../../observe/observer.ts";
import { portOf, roundedMs } from "../../observe/packet.ts";
import { quicClientFlows } from "../../observe/quic-flows.ts";
import { clientFlows } from "../../observe/tcp-flows.ts";
import type { FlowEvidence, QuicFlowEvidence } from "../../schema/evidence.ts";
import type { ServerObservation } from "../../schema/observation.ts";
import type { WebHost } from "../../schema/registries.ts";

export function flowEvidence(
  client: Pick<PacketObservation, "packets">,
  servers: ServerObservation[],
  hosts: readonly WebHost[],
): FlowEvidence[] {
  const atServer = byEnds(servers.flatMap(({ flows }) => flows));
  return clientFlows(client.packets).map((flow) => {
    const seen = atServer.get(ends(flow));
    return {
      ...placeOf(flow, hosts),
      ...openingOf(flow),
      ...(flow.synsAgainMs.length > 0 && { synsAgainMs: flow.synsAgainMs.map(roundedMs) }),
      ...(flow.tlsHandshakeMs !== null && { tlsHandshakeMs: roundedMs(flow.tlsHandshakeMs) }),
      upRetransmittedSegments: flow.retransmittedSegments,
      turnMs: round(flow.turnMs),
      ...(flow.exchangesMs?.length ? { exchangesMs: flow.exchangesMs.map(roundedMs) } : {}),
      receiveWindow: flow.receiveWindow,
      firstAcks: flow.firstAcks,
      ...(flow.agreedOnEcn && { ecn: true as const }),
      server: seen ? withoutEnds(seen) : null,
    };
  });
}

interface Ends {
  client: string;
  server: string;
}

/** A connection is identified by both ends, because connections to two hosts may have the same client port. */
const ends = ({ client, server }: Ends) => `${client} ${server}`;
const byEnds = <Flow extends Ends>(flows: Flow[]) => new Map(flows.map((flow) => [ends(flow), flow]));
const placeOf = ({ client, server }: Ends, hosts: readonly WebHost[]) => ({
  host: hosts.find(({ address }) => server.startsWith(`${address}:`))?.name ?? server,
  clientPort: portOf(client),
});

/** The time of the first answer is included only if the handshake's duration is unknown. */
const openingOf = ({ handshakeMs, answerMs }: { handshakeMs: number | null; answerMs: number | null }) => ({
  handshakeMs: round(handshakeMs),
  ...(handshakeMs === null && answerMs !== null && { answerMs: roundedMs(answerMs) }),
});

export function quicFlowEvidence(
  client: Pick<PacketObservation, "quic">,
  servers: ServerObservation[],
  hosts: readonly WebHost[],
): QuicFlowEvidence[] {
  const atServer = byEnds(servers.flatMap(({ quicFlows }) => quicFlows));
  return quicClientFlows(client.quic).map((flow) => {
    const { client: from, server: to, version, sent, firstNumber, tls, hello, ...opening } = flow;
    const {
      client: _,
      server: __,
      firstNumber: first = null,
      outgoing: ___,
      ...seen
    } = atServer.get(ends({ client: from, server: to })) ?? {};
    const startMissed = first !== null &&
      firstNumber !== null &&
      first !== firstNumber && { startMissed: true as const };
    return {
      ...placeOf({ client: from, server: to }, hosts),
      version,
      ...openingOf(opening),
      sent,
      server: "tls" in seen ? { ...seen, ...(seen.hello ? {} : { tls, hello }), ...startMissed } : null,
    };
  });
}

const withoutEnds = ({
  client: _,
  server: __,
  turnMs,
  firstDataToLastAckMs = null,
  ...seen
}: ServerObservation["flows"][number]): FlowEvidence["server"] => ({
  ...seen,
  turnMs: round(turnMs ?? null),
  ...(firstDataToLastAckMs === null ? {} : { firstDataToLastAckMs: round(firstDataToLastAckMs) }),
});

export const round = (ms: number | null) => (ms === null ? null : roundedMs(ms));
