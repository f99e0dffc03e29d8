/** How a TCP connection opens: when its SYN is retransmitted, and when the TLS handshake ends. */

import type { Event } from "./initial-window.ts";
import { beyond, type Packet } from "./packet.ts";
import { serverHello, startsWithApplicationData } from "./tls-hello.ts";

/** The first segment of a server's TLS handshake, and the client's segment that ends the handshake with its Finished message. */
interface TlsHandshake {
  answer: Packet;
  end: Packet;
}

/**
 * Finds the start and the end of a TLS handshake. The client ends the handshake with its first data after the ServerHello or, after a
 * HelloRetryRequest, with its first application data. A request may be in the same segment.
 * @returns null without a handshake, or if it is not complete
 */
export function tlsHandshake(all: readonly Event[]): TlsHandshake | null {
  const answer = all.find(({ packet, fromClient }) => !fromClient && packet.payloadBytes > 0)?.packet;
  const hello = serverHello(answer?.payload);
  const end = all.find(
    ({ packet: { payload, payloadBytes, acknowledgment }, fromClient }) =>
      fromClient &&
      payloadBytes > 0 &&
      beyond(acknowledgment, answer?.sequence ?? acknowledgment) > 0 &&
      (!hello?.retry || startsWithApplicationData(payload)),
  )?.packet;
  return answer && hello && end ? { answer, end } : null;
}

/** Time from the first SYN to the segment that ends the TLS handshake, in the client's capture; null without a handshake. */
export function tlsHandshakeMs(all: readonly Event[]): number | null {
  const handshake = tlsHandshake(all);
  return handshake && handshake.end.timeMs - all[0]!.packet.timeMs;
}

/** Times of the client's retransmitted SYNs since its first SYN, in the client's capture. */
export function synsAgainMs(all: readonly Event[]): number[] {
  const [first, ...again] = all.flatMap(({ packet, fromClient }) => (fromClient && packet.syn ? [packet.timeMs] : []));
  return again.map((ms) => ms - first!);
}
