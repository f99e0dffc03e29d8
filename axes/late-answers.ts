/** Handshakes whose first packet was sent again, although nothing was lost: the answer waited longer than its sender's timer. */
import type { FlowEvidence, PacketEvidence, QuicFlowEvidence } from "../schema/evidence.ts";
import type { Link } from "../schema/link.ts";
import { initialTimeoutMs } from "../schema/linux.ts";
import { tolerance } from "../schema/tolerances.ts";
import { outlastsSynTimer } from "./link-values.ts";

type Flow = FlowEvidence | QuicFlowEvidence;

/** Chromium's RTT of a path that it does not know (kInitialRttMs); RFC 9002 recommends 333 ms. */
const initialQuicRttMs = 100;
/** RFC 9002, section 6.2.1: the RTT and four times its variation, which is half of the RTT at first. */
const quicTimeoutRtts = 3;

/**
 * How long a handshake took, by its first packet and the first answer to it. A repeated first packet hides that, unless the answer was
 * late: longer under way than the timer, as one is that waits in a queue, and no longer than the load's slowest packets.
 * @returns null if a loss may have hidden it, or if no answer was seen
 */
export function openedMs(flow: Flow, packets: PacketEvidence, link: Link): number | null {
  const { handshakeMs, answerMs } = flow;
  if (handshakeMs !== null || answerMs === undefined) return handshakeMs;
  const [up, down] = [packets.path.up.transit, packets.path.down.transit];
  if (!up || !down) return null;
  // A server's timer runs from its SYN/ACK to the client's acknowledgment.
  const [leastMs, serverMs] =
    "version" in flow
      ? [quicTimeoutRtts * Math.min(link.rttMs, initialQuicRttMs), tolerance.serverMs]
      : [initialTimeoutMs + link.rttMs / 2 - up.mostMs, tolerance.handshakeMs];
  return answerMs >= leastMs && answerMs <= up.mostMs + down.mostMs + serverMs ? answerMs : null;
}

/** Whether a connection's first packets were sent again because the answer was late. Older lines show it of links alone. */
export const isAnsweredLate = (flow: Flow, packets: PacketEvidence, link: Link): boolean =>
  flow.handshakeMs === null &&
  (flow.answerMs === undefined ? outlastsSynTimer(link) : openedMs(flow, packets, link) !== null);
