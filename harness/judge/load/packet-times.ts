import { gonePackets } from "../../../axes/gone.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import { directions, sendingMs } from "../../../schema/link.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Protocol } from "../../../schema/protocol.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import { handshakeRoundTrips } from "./round-trips.ts";

/** Compares packet times with the least time that handshakes, acknowledgments and all bytes take on this link. */
export function packetTimeProblems(
  pageLoadMs: number,
  evidence: Evidence,
  { settings: { link } }: Condition,
  protocol: Protocol,
): string[] {
  const { packets, link: counters, processor, background } = evidence;
  const { synToRequestMs, requestToLastDataMs, requestToLastAckMs, path } = packets;
  if (synToRequestMs === null || requestToLastDataMs === null || requestToLastAckMs === null) return [];
  const handshakesMs = handshakeRoundTrips(evidence, protocol) * link.rttMs;
  // Background flows use the link from its set-up, which is before the load, until its counters are read.
  const usedMs = background?.linkMs ?? processor.elapsedMs;
  const unacknowledgedMs = Math.abs(acknowledgedAfterMs(pageLoadMs, evidence) ?? 0);
  return [
    ...expect(
      protocol.transport === "quic" || unacknowledgedMs <= tolerance.delayedAckMs,
      `the last data came ${requestToLastDataMs} ms after the first request, its acknowledgment after ${requestToLastAckMs}`,
    ),
    ...expect(
      synToRequestMs >= handshakesMs - tolerance.earlyMs,
      `the first request came ${synToRequestMs} ms after the first packet; its handshakes take at least ${handshakesMs}`,
    ),
    ...directions.flatMap((direction) => {
      const leastMs = sendingMs(link, direction, counters[direction].sentBytes);
      const { transit } = path[direction];
      const problems = transit && transit.mostMs > usedMs ? [`a packet took ${transit.mostMs} ms`] : [];
      if (leastMs > usedMs + link.rttMs)
        problems.push(`${counters[direction].sentBytes} bytes take ${leastMs.toFixed(0)} ms`);
      return problems.map((problem) => `${direction}: ${problem}, but the link was used for ${usedMs} ms`);
    }),
  ];
}

/** @returns the time from the last data to the last acknowledgment; null if losses hide this time */
function acknowledgedAfterMs(pageLoadMs: number, { packets, link, recordedUntil }: Evidence): number | null {
  const { synToRequestMs, requestToLastDataMs, requestToLastAckMs } = packets;
  if (synToRequestMs === null || requestToLastDataMs === null || requestToLastAckMs === null) return null;
  const upLost = gonePackets({ link }, "up");
  const someLost = upLost + gonePackets({ link }, "down") > 0;
  const afterMs = requestToLastAckMs - requestToLastDataMs;
  if (recordedUntil === "limit" && afterMs < 0) return null; // recording ended at another time than the load event
  // After a loss, one segment may come long after all others, and the load may end before this segment's acknowledgment is due.
  if (someLost && afterMs < 0 && !recordedUntil) return pageLoadMs - (synToRequestMs + requestToLastDataMs);
  // If an acknowledgment is lost, the server retransmits the segment, and the client acknowledges it again later.
  return upLost > 0 ? null : afterMs;
}
