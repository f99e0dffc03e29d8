import { announcingAlpn } from "../../../schema/discovery.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import type { Protocol } from "../../../schema/protocol.ts";

/**
 * Returns the round trips before a request can leave. TCP takes one and TLS another; QUIC combines both in one (RFC 9000, section 7). A server
 * that requests another key (HelloRetryRequest) adds one. A browser that is not forced to use QUIC may request the document over TCP. TLS 1.2
 * takes no more than TLS 1.3, because Chromium sends its request after its own part of the handshake, without waiting for the server's part
 * (False Start, RFC 7918).
 */
export function handshakeRoundTrips(
  { connections, packets: { flows, quicFlows = [] } }: Evidence,
  { scheme, transport }: Protocol,
): number {
  if (scheme === "http") return 1;
  const first = connections.find(({ requests }) => requests.some(({ startMs }) => startMs === 0));
  const isQuic = transport === "quic" && first?.protocol !== announcingAlpn;
  // A request that is early data leaves with the first packet.
  if (isQuic && quicFlows.some(({ server }) => server && server.longHeaders.zeroRtt > 0)) return 0;
  const hellos = (isQuic ? quicFlows : flows).flatMap(({ server }) => server?.hello ?? []);
  return (isQuic ? 1 : 2) + (hellos.length > 0 && hellos.every(({ retry }) => retry) ? 1 : 0);
}
