import { medianSorted } from "simple-statistics";
import type { KnownConnection } from "../schema/known-client.ts";
import { fullSegmentBytes } from "../schema/link.ts";
import { standardWindow } from "../schema/linux.ts";

/** The initial window of the previous standard, RFC 3390. */
const leastWindow = 3;
/** The largest window in Al-Fares et al. (Yahoo!, IMC 2011); many clients' receive windows allow little more at first. */
const mostWindow = 32;
/** A smoothed RTT above the minimum RTT times this factor shows a queue, because one queued first flight raises the smoothed RTT that far. */
const queuedFactor = 1.25;

/**
 * The initial window for a client's next connections, computed from its last connections. Without a queue, the next connection begins with
 * the last connection's final window, as in Riptide (Flores et al., ICDCS 2016), but not below the standard: losses without a queue are random,
 * and a smaller window would not avoid them. With a queue, the window was too large, and the next window is the bandwidth-delay product: rate x
 * minimum RTT. If Linux computes the rate over one flight's round trip, this time includes the wait for the first ACK, and the rate can be half
 * of the real rate. So the rate is doubled, unless the queue lost packets.
 */
export function adaptiveWindow(connections: readonly KnownConnection[]): number {
  if (connections.length === 0) return standardWindow;
  // Connections that begin together queue behind each other, so the minimum RTT is taken over all of them.
  const leastMs = Math.min(...connections.map(({ minRttMs }) => minRttMs));
  const windows = connections.map((one) => windowAfter(one, leastMs)).sort((a, b) => a - b);
  return Math.min(mostWindow, Math.max(leastWindow, Math.round(medianSorted(windows))));
}

function windowAfter({ rttMs, deliveryMbps, cwnd, retransmittedSegments }: KnownConnection, leastMs: number): number {
  if (rttMs <= queuedFactor * leastMs) return Math.max(standardWindow, cwnd);
  const heldBytes = (deliveryMbps * 1000 * leastMs) / 8;
  return ((retransmittedSegments > 0 ? 1 : 2) * heldBytes) / fullSegmentBytes;
}
