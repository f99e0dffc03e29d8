import type { DirectionParameters, Evidence, LinkEvidence } from "../schema/evidence.ts";
import {
  bucketBytes,
  type Direction,
  directions,
  fullQueueMs,
  type Link,
  longestSendingMs,
  packetMs,
  sendingMs,
} from "../schema/link.ts";
import { tolerance } from "../schema/tolerances.ts";
import { hidden, type Verdict, verdictOf } from "./axis.ts";

/** netem keeps times in nanoseconds and probabilities in 32 bits, so the values that it reports may be rounded by this share. */
const rounding = 1e-4;

/** Checks a parameter that the shaper's kernel reports before and after the load. @param asked its configured value; undefined: it must be absent */
export function provesDirection<P extends keyof DirectionParameters>(
  name: Direction,
  { atStart, atEnd }: LinkEvidence[Direction],
  parameter: P,
  asked: DirectionParameters[P],
): Verdict {
  const moments = { began: atStart, ended: atEnd };
  return verdictOf(
    Object.entries(moments).flatMap(([when, { [parameter]: is }]) =>
      is === asked ||
      (typeof is === "number" && typeof asked === "number" && Math.abs(is - asked) <= Math.abs(asked) * rounding)
        ? []
        : [`when the load ${when}, the link had ${name} ${parameter} ${is ?? "none"} instead of ${asked ?? "none"}`],
    ),
  );
}

export const provesBoth = <P extends keyof DirectionParameters>(
  { link }: Evidence,
  parameter: P,
  asked: DirectionParameters[P],
): Verdict => allOf(...directions.map((name) => provesDirection(name, link[name], parameter, asked)));

/** Checks how many packets arrived damaged or twice. @param percent the configured share of such packets @param how completes "arrived ..." */
export function provesArrivals(percent: number, arrived: number, how: string): Verdict {
  if (percent === 0) return arrived > 0 ? { contradicts: [`${arrived} packets arrived ${how}`] } : "confirmed";
  return arrived > 0 ? "confirmed" : { notObservable: `by chance, no packet of the load arrived ${how}` };
}

/** How late a packet may be, because of a timer in the shaper's kernel or because the whole machine paused. */
const lateMsIn = ({ processor }: Evidence): number => tolerance.lateMs + (processor.pauses?.longestMs ?? 0);

/**
 * Checks the rate, which determines the spacing of packets that queued behind each other (observe/one-way-delay.ts). If no such packets
 * were seen, this contradicts the rate only if packets sent at the same time must have queued for longer than the jitter.
 * @param pageBytes replaces `sentAtOnceBytes` in older records, which lack it: the page's bytes downwards, 0 upwards
 */
export function provesRate(name: Direction, evidence: Evidence, mbps: number, pageBytes: number): Verdict {
  const { transit } = evidence.packets.path[name];
  if (!transit) return hidden(evidence, `${name}: no packet was seen at both ends`);
  const { backToBack: run, sentAtOnceBytes = pageBytes } = transit;
  const lateMs = lateMsIn(evidence);
  if (!run) {
    const { jitterMs = 0, aqm, queueBytes } = evidence.link[name].atStart;
    // Queues with an AQM or a limit in bytes are below a token bucket, which lets the first bytes pass at once.
    const atOnceBytes = aqm !== undefined || queueBytes !== undefined ? bucketBytes : 0;
    // Waits are measured relative to the quickest packet's delay, which includes that packet's transmission time.
    const aheadBytes = Math.max(0, sentAtOnceBytes - atOnceBytes - transit.least.bytes);
    const waitMs = packetMs(aheadBytes, mbps) - jitterMs;
    return waitMs > lateMs
      ? hidden(evidence, `${name}: no two packets were seen to leave the queue back to back`)
      : { notObservable: `${name}: no packets were sent that must have waited for one another` };
  }
  const askedMs = packetMs(run.bytes, mbps);
  // The first and the last packet may each be late by `lateMs`, so a run that took less than twice `lateMs` cannot distinguish rates.
  if (Math.max(askedMs, run.ms) < 2 * lateMs)
    return { notObservable: `${name}: too few packets waited for one another to show the rate` };
  if (Math.abs(run.ms - askedMs) <= lateMs + (askedMs * tolerance.ratePercent) / 100) return "confirmed";
  const isMbps = (run.bytes * 8) / (run.ms * 1000);
  return {
    contradicts: [
      `${name}: ${run.packets} packets that waited for one another came in ${run.ms} ms, at ${isMbps.toFixed(2)} Mb/s instead of ${mbps}`,
    ],
  };
}

/** The quickest packet must have taken the delay plus its own transmission time, and at most the jitter in addition. */
export function provesDelay(name: Direction, evidence: Evidence, link: Link): Verdict {
  const { transit } = evidence.packets.path[name];
  if (!transit) return hidden(evidence, `${name}: no packet was seen at both ends`);
  const { ms, bytes } = transit.least;
  const askedMs = link.rttMs / 2 + sendingMs(link, name, bytes);
  const mostMs = link.rttMs / 2 + longestSendingMs(link, name, bytes) + (link.jitterMs ?? 0);
  if (ms >= askedMs - tolerance.earlyMs && ms <= mostMs + tolerance.rttMs) return "confirmed";
  return { contradicts: [`${name}: the quickest packet took ${ms} ms instead of ${askedMs.toFixed(2)}`] };
}

/** A packet waits for at most a full queue ahead of it. An AQM may send packets of other flows first, so there is no limit to check. */
export function provesQueue(name: Direction, evidence: Evidence, link: Link): Verdict {
  const { transit } = evidence.packets.path[name];
  if (!transit) return hidden(evidence, `${name}: no packet was seen at both ends`);
  if (link.aqm) return "confirmed";
  const mostDelayMs = link.rttMs / 2 + (link.jitterMs ?? 0);
  const longestMs = mostDelayMs + fullQueueMs(link, name, tolerance.queuePackets) + lateMsIn(evidence);
  if (transit.mostMs <= longestMs) return "confirmed";
  return {
    contradicts: [`${name}: a packet took ${transit.mostMs} ms; behind a full queue it takes ${longestMs.toFixed(1)}`],
  };
}

/** Combines verdicts: all contradictions, or else the first verdict that is inconclusive or not observable. */
export function allOf(...verdicts: Verdict[]): Verdict {
  const contradicts = verdicts.flatMap((verdict) =>
    typeof verdict === "object" && "contradicts" in verdict ? verdict.contradicts : [],
  );
  return contradicts.length ? { contradicts } : (verdicts.find((verdict) => verdict !== "confirmed") ?? "confirmed");
}
