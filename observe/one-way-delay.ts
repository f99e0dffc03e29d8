/** One direction of the link, measured by packets that were captured at both ends: one-way delay, reordering and rate. */
import type { TransitEvidence } from "../schema/evidence.ts";
import type { Sighting } from "../schema/observation.ts";
import { roundedMs } from "./packet.ts";

/** One event counts as earlier than another only if their times differ by more than this, because capture timestamps may be late. */
const surelyMs = 0.5;

interface Options {
  fromMs?: number | undefined;
  jitterMs?: number | undefined;
  traceStartedMs?: number | undefined;
}

/** A packet captured at both ends. */
interface Transit {
  /** The index of the host that sent it. */
  sender: number;
  sentMs: number;
  arrivedMs: number;
  bytes: number;
  /** Whether no other packet has its mark. If the first of two equal resets is lost, the second's arrival is matched with the first's departure. */
  once: boolean;
}

/**
 * @param sent the packets of each host, including those before `fromMs`, because a retransmitted reset is identical to the first reset
 * @param arrived the packets at all receiving hosts @param fromMs packets sent earlier belong to another load, and may have crossed another link
 * @param jitterMs the maximum that jitter adds to the link's delay @param traceStartedMs when a link with a trace was set up
 * @returns null when no packet was captured at both ends
 */
export function oneWayDelays(
  sent: readonly (readonly Sighting[])[],
  arrived: readonly Sighting[],
  { fromMs = Number.NEGATIVE_INFINITY, jitterMs = 0, traceStartedMs }: Options = {},
): TransitEvidence | null {
  const inOrder = arrived.toSorted(([a], [b]) => a - b);
  const matched = match(sent, inOrder).map((transit) => (transit && transit.sentMs >= fromMs ? transit : null));
  const both = matched.filter((transit) => transit !== null);
  const sure = both.filter(({ once }) => once);
  const [first] = sure;
  if (!first) return null;
  const tookMs = ({ sentMs, arrivedMs }: Transit) => arrivedMs - sentMs;
  const least = sure.reduce((best, transit) => (tookMs(transit) < tookMs(best) ? transit : best), first);
  return {
    packets: both.length,
    least: { ms: roundedMs(tookMs(least)), bytes: least.bytes },
    mostMs: roundedMs(Math.max(...sure.map(tookMs))),
    reordered: reordered(sure),
    backToBack: backToBack(matched, tookMs(least) + jitterMs, traceStartedMs),
    sentAtOnceBytes: sentAtOnceBytes(matched),
  };
}

/** Matches each arrival with its departure by their marks; null for an arrival whose departure was not captured. */
function match(sent: readonly (readonly Sighting[])[], arrived: readonly Sighting[]): (Transit | null)[] {
  const departures = new Map<number, { sentMs: number; sender: number }[]>();
  for (const [sender, sightings] of sent.entries())
    for (const [sentMs, , mark] of sightings) {
      const before = departures.get(mark);
      if (before) before.push({ sentMs, sender });
      else departures.set(mark, [{ sentMs, sender }]);
    }
  const repeated = new Set([...departures].flatMap(([mark, times]) => (times.length > 1 ? [mark] : [])));
  return arrived.map(([arrivedMs, bytes, mark]) => {
    const departure = departures.get(mark)?.shift();
    if (!departure || departure.sentMs > arrivedMs) return null;
    const { sentMs, sender } = departure;
    return { sender, sentMs, arrivedMs, bytes, once: !repeated.has(mark) };
  });
}

/** How many packets arrived after a packet that the same host sent more than `surelyMs` later. Two cores may swap packets sent within `surelyMs`. */
function reordered(inOrderOfArrival: readonly Transit[]): number {
  const latest = new Map<number, number>();
  return inOrderOfArrival.filter(({ sender, sentMs }) => {
    const before = latest.get(sender) ?? Number.NEGATIVE_INFINITY;
    latest.set(sender, Math.max(before, sentMs));
    return sentMs < before - surelyMs;
  }).length;
}

/**
 * Finds the run of packets with the most bytes that left the bottleneck back to back; its bytes and duration give the rate. A packet had to
 * queue at the bottleneck if, at the smallest one-way delay, it would have arrived before the packet ahead of it.
 * @param leastMs the smallest one-way delay, plus the maximum that jitter adds
 */
function backToBack(
  all: readonly (Transit | null)[],
  leastMs: number,
  startedMs: number | undefined,
): TransitEvidence["backToBack"] {
  let longest: TransitEvidence["backToBack"] = null;
  let run = { packets: 0, bytes: 0, ms: 0 };
  all.forEach((transit, i) => {
    const before = all[i - 1];
    const waited = transit?.once && before && transit.sentMs + leastMs + surelyMs <= before.arrivedMs;
    run = waited
      ? {
          packets: run.packets + 1,
          bytes: run.bytes + transit.bytes,
          ms: run.ms + transit.arrivedMs - before.arrivedMs,
        }
      : { packets: 0, bytes: 0, ms: 0 };
    if (run.packets > 0 && run.bytes > (longest?.bytes ?? 0)) {
      const fromMs = startedMs === undefined ? {} : { fromMs: roundedMs(transit!.arrivedMs - run.ms - startedMs) };
      longest = { ...run, ms: roundedMs(run.ms), ...fromMs };
    }
  });
  return longest;
}

/** The largest number of bytes that a packet had to wait for, because they were sent just before it (within `surelyMs`) and arrived first. */
function sentAtOnceBytes(all: readonly (Transit | null)[]): number {
  let [most, aheadBytes, firstMs] = [0, 0, Number.NEGATIVE_INFINITY];
  for (const transit of all) {
    if (!transit?.once) {
      firstMs = Number.NEGATIVE_INFINITY;
      continue;
    }
    const atOnce = Math.abs(transit.sentMs - firstMs) <= surelyMs;
    if (!atOnce) [aheadBytes, firstMs] = [0, transit.sentMs];
    most = Math.max(most, aheadBytes);
    aheadBytes += transit.bytes;
  }
  return most;
}
