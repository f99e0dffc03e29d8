import { medianSorted } from "simple-statistics";
import type { KnownConnection } from "../schema/known-client.ts";
import { fullSegmentBytes } from "../schema/link.ts";

/** Segments that Linux begins with by itself (RFC 6928): where nothing is known, too, and where nothing that is known speaks against it. */
export const standardWindow = 10;
/** As every connection had it before. RFC 3390 */
const leastWindow = 3;
/** The largest that the Yahoo! paper tries (IMC 2011); many clients have room for few more at first. */
const mostWindow = 32;
/** A smoothed round trip that is longer than the least by this factor had a queue in it: a full first flight moved it so far. */
const queuedFactor = 1.25;

/**
 * The initial window for a client's next connections, by what its last ones showed of the path.
 *
 * Without a queue the path carried their windows as they were, and the next begins where they ended, as Riptide does (Flores et al.,
 * ICDCS 2016); but never below the standard, for losses without a queue are the path's own and a small window prevents none.
 * With a queue the window filled the path, and the next is what the path holds without one: rate x least RTT. A rate that is
 * counted over the round trip of one flight includes the wait for its first ACK, so that it is up to half too low: twice that,
 * where nothing was lost in the queue.
 */
export function adaptiveWindow(connections: readonly KnownConnection[]): number {
  if (connections.length === 0) return standardWindow;
  // Of connections that begin together, the later ones' handshakes stand in the earlier ones' queue: the path has one least round trip.
  const leastMs = Math.min(...connections.map(({ minRttMs }) => minRttMs));
  const windows = connections.map((one) => windowAfter(one, leastMs)).sort((a, b) => a - b);
  return Math.min(mostWindow, Math.max(leastWindow, Math.round(medianSorted(windows))));
}

function windowAfter({ rttMs, deliveryMbps, cwnd, retransmittedSegments }: KnownConnection, leastMs: number): number {
  if (rttMs <= queuedFactor * leastMs) return Math.max(standardWindow, cwnd);
  const heldBytes = (deliveryMbps * 1000 * leastMs) / 8;
  return ((retransmittedSegments > 0 ? 1 : 2) * heldBytes) / fullSegmentBytes;
}
