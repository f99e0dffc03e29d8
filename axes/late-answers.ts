/** Finds handshakes whose first packet was retransmitted although nothing was lost, because the answer took longer than the sender's timer. */
import type { FlowEvidence, PacketEvidence, QuicFlowEvidence } from "../schema/evidence.ts";
import type { Link } from "../schema/link.ts";
import { initialTimeoutMs } from "../schema/linux.ts";
import { tolerance } from "../schema/tolerances.ts";
import { outlastsSynTimer } from "./link-values.ts";

type Flow = FlowEvidence | QuicFlowEvidence;

/** The RTT that Chromium assumes for an unknown path (kInitialRttMs); RFC 9002 recommends 333 ms. */
const initialQuicRttMs = 100;
/** The first time-out, in RTTs (RFC 9002, section 6.2.1): the RTT plus four times its variation. At first, the variation is half of the RTT. */
const quicTimeoutRtts = 3;

/**
 * How long a handshake took, from its first packet to the first answer. If the first packet was retransmitted, this time is known only if
 * the answer was late, not lost: the answer took longer than the timer, for example in a queue, but no longer than the load's slowest packets.
 * @param extraMs how much longer a round trip to this host takes @returns null if a packet may have been lost, or if no answer was seen
 */
export function openedMs(flow: Flow, packets: PacketEvidence, link: Link, extraMs = 0): number | null {
  const { handshakeMs, answerMs } = flow;
  if (handshakeMs !== null || answerMs === undefined) return handshakeMs;
  const [up, down] = [packets.path.up.transit, packets.path.down.transit];
  if (!up || !down) return null;
  // A server's timer runs from its SYN/ACK to the client's acknowledgment.
  const [leastMs, serverMs] =
    "version" in flow
      ? [quicTimeoutRtts * Math.min(link.rttMs, initialQuicRttMs), tolerance.serverMs]
      : [initialTimeoutMs + link.rttMs / 2 - up.mostMs, tolerance.handshakeMs];
  return answerMs >= leastMs && answerMs <= up.mostMs + down.mostMs + extraMs + serverMs ? answerMs : null;
}

/** Whether a connection's first packet was retransmitted because the answer was late. In older records, only the link's RTT shows this. */
export const isAnsweredLate = (flow: Flow, packets: PacketEvidence, link: Link, extraMs = 0): boolean =>
  flow.handshakeMs === null &&
  (flow.answerMs === undefined ? outlastsSynTimer(link) : openedMs(flow, packets, link, extraMs) !== null);
