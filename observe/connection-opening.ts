/** How a TCP connection opens: when its SYN is retransmitted, and when the TLS handshake ends. */

import type { Event } from "./initial-window.ts";
import { beyond, type Packet } from "./packet.ts";
import { serverHello, startsWithApplicationData } from "./tls-hello.ts";

/** The first segment of a server's TLS handshake, and the segment with which the client ends it, with its Finished. */
interface TlsHandshake {
  answer: Packet;
  end: Packet;
}

/**
 * The client ends the handshake with its first data after the ServerHello or, after a HelloRetryRequest, with its first application data.
 * A request may be in the same segment.
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

/** In the client's capture: from its first SYN to the segment that ends the TLS handshake; null without a handshake. */
export function tlsHandshakeMs(all: readonly Event[]): number | null {
  const handshake = tlsHandshake(all);
  return handshake && handshake.end.timeMs - all[0]!.packet.timeMs;
}

/** In the client's capture: when it retransmitted its SYN, since the first one. */
export function synsAgainMs(all: readonly Event[]): number[] {
  const [first, ...again] = all.flatMap(({ packet, fromClient }) => (fromClient && packet.syn ? [packet.timeMs] : []));
  return again.map((ms) => ms - first!);
}
