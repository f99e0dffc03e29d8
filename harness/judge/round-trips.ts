import type { Evidence } from "../../schema/evidence.ts";
import type { Protocol } from "../../schema/protocol.ts";

/**
 * Round trips before a request can leave: TCP's handshake, and TLS's with one more where the server asked for another key;
 * QUIC's, which is both in one (RFC 9000, section 7), with the one more too. TLS 1.2 takes no more than 1.3: a client may send its request after
 * its own end of the handshake, without the server's (False Start, RFC 7918), and Chromium does.
 */
export function handshakeRoundTrips(
  { packets: { flows, quicFlows = [] } }: Evidence,
  { scheme, transport }: Protocol,
): number {
  if (scheme === "http") return 1;
  const isQuic = transport === "quic";
  const hellos = (isQuic ? quicFlows : flows).flatMap(({ server }) => server?.hello ?? []);
  return (isQuic ? 1 : 2) + (hellos.length > 0 && hellos.every(({ retry }) => retry) ? 1 : 0);
}
