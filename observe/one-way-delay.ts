/** The same packets at both ends of one direction of the link: what each took, and how fast the full link let them go. */
import type { TransitEvidence } from "../schema/evidence.ts";
import type { Sighting } from "../schema/observation.ts";

/** How much earlier a packet has to be than what it is held against, milliseconds: more than a capture's stamp may be late. */
const surelyMs = 0.5;

interface Transit {
  /** Which host sent it. */
  sender: number;
  sentMs: number;
  arrivedMs: number;
  bytes: number;
  /** No other packet was like it: of two alike (resets) the first may be lost, and the second taken for it. */
  once: boolean;
}

/**
 * @param sent by each host: also what it sent before `fromMs`, for a reset that is sent again is like the one before it
 * @param arrived at whichever hosts the direction leads to
 * @param fromMs what was sent before is another load's, and may have crossed its link
 * @param jitterMs what the link may add to a packet's delay
 * @returns null when no packet was seen at both ends
 */
export function transits(
  sent: readonly (readonly Sighting[])[],
  arrived: readonly Sighting[],
  { fromMs = Number.NEGATIVE_INFINITY, jitterMs = 0 } = {},
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
    least: { ms: rounded(tookMs(least)), bytes: least.bytes },
    mostMs: rounded(Math.max(...sure.map(tookMs))),
    overtaken: overtaken(sure),
    backToBack: backToBack(matched, tookMs(least) + jitterMs),
  };
}

/** Each arrival with its departure, by their marks; null for one whose departure was not seen. */
function match(sent: readonly (readonly Sighting[])[], arrived: readonly Sighting[]): (Transit | null)[] {
  const departures = new Map<number, { sentMs: number; sender: number }[]>();
  for (const [sender, sightings] of sent.entries())
    for (const [sentMs, , mark] of sightings)
      departures.set(mark, [...(departures.get(mark) ?? []), { sentMs, sender }]);
  const repeated = new Set([...departures].flatMap(([mark, times]) => (times.length > 1 ? [mark] : [])));
  return arrived.map(([arrivedMs, bytes, mark]) => {
    const departure = departures.get(mark)?.shift();
    if (!departure || departure.sentMs > arrivedMs) return null;
    return { ...departure, arrivedMs, bytes, once: !repeated.has(mark) };
  });
}

/** How many came after one that the same host had surely sent later: two cores may hand over two packets the other way round. */
function overtaken(inOrderOfArrival: readonly Transit[]): number {
  const latest = new Map<number, number>();
  return inOrderOfArrival.filter(({ sender, sentMs }) => {
    const before = latest.get(sender) ?? Number.NEGATIVE_INFINITY;
    latest.set(sender, Math.max(before, sentMs));
    return sentMs < before - surelyMs;
  }).length;
}

/**
 * A packet that was sent so early that it had come through the delay before the one ahead of it arrived was waiting
 * behind that one for the bottleneck, and then takes its own bytes over the rate: whatever rate or delay was asked for.
 * @param leastMs what the quickest packet took, and the most that jitter adds: the delay, and a little more
 */
function backToBack(all: readonly (Transit | null)[], leastMs: number): TransitEvidence["backToBack"] {
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
    if (run.packets > 0 && run.bytes > (longest?.bytes ?? 0)) longest = { ...run, ms: rounded(run.ms) };
  });
  return longest;
}

/** To the captures' microsecond. */
const rounded = (ms: number) => Math.round(ms * 1000) / 1000;
