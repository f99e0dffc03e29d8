import { copiesIn } from "../../observe/copies.ts";
import { oneWayDelays } from "../../observe/one-way-delay.ts";
import type { CountBounds, LinkEvidence, PathEvidence } from "../../schema/evidence.ts";
import type { CaptureSummary, LinkReading, Spans } from "../../schema/observation.ts";

/** Counts one direction's packets at each point of their path. @param traceStartedMs when the link's rate trace began, if the link has one */
export function pathEvidence(
  senders: CaptureSummary[],
  { sentPackets, lostPackets, queueDroppedPackets, queuedPackets, atStart }: LinkEvidence["down"],
  receivers: CaptureSummary[],
  { inner, outer }: Spans,
  traceStartedMs?: number,
): PathEvidence {
  const total = (counts: CountBounds[]): CountBounds => ({
    atLeast: counts.reduce((sum, { atLeast }) => sum + atLeast, 0),
    atMost: counts.reduce((sum, { atMost }) => sum + atMost, 0),
  });
  const duplicates = atStart.duplicatePercent !== undefined;
  const marks = receivers.flatMap(({ ecn }) => ecn ?? []);
  return {
    sentPackets: total(senders.map(({ sent }) => sent)),
    shapedPackets: sentPackets + lostPackets + queueDroppedPackets + queuedPackets,
    forwardedPackets: sentPackets,
    arrivedPackets: total(receivers.map(({ arrived }) => arrived)),
    ...(duplicates && {
      copies: copiesIn(
        senders.flatMap(({ sightings }) => sightings.sent),
        receivers.flatMap(({ sightings }) => sightings.arrived),
      ),
    }),
    transit: oneWayDelays(
      senders.map(({ sightings }) => sightings.sent),
      receivers.flatMap(({ sightings }) => sightings.arrived.filter(([arrivedMs]) => arrivedMs <= outer.toMs)),
      { fromMs: inner.fromMs, jitterMs: atStart?.jitterMs, traceStartedMs },
    ),
    ...(marks.length > 0 && {
      ecn: {
        capable: marks.reduce((sum, { capable }) => sum + capable, 0),
        marked: marks.reduce((sum, { marked }) => sum + marked, 0),
      },
    }),
  };
}

/** Combines the shaper's figures of one direction with the number of packets that the receivers discarded as damaged. */
export function directionEvidence(
  start: LinkReading["down"],
  end: LinkReading["down"],
  receivers: readonly CaptureSummary[],
): LinkEvidence["down"] {
  const damaged = receivers.flatMap((one) => one.damaged ?? []);
  return {
    ...end.did,
    ...(damaged.length > 0 && { damagedPackets: damaged.reduce((sum, here) => sum + here, 0) }),
    atStart: start.is,
    atEnd: end.is,
  };
}
