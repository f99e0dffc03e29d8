/** A condition's loads, one by one, as their columns say them. */
import type { LoadColumns, Remark } from "../data/gathered.ts";

/** An attempt at a load. */
export interface LoadView {
  /** Among the condition's. */
  place: number;
  block: number;
  attempt: number;
  /** In the metric's unit; null for one that failed. */
  ms: number | null;
  /** It is invalid or flagged, or failed. */
  remarked: boolean;
  /** null where the folder does not hold it. */
  remark: Remark | null;
  /** It has a file of its own. */
  detailed: boolean;
}

export function loadsOf({ block, attempt, time, remarked, remarks, detailed }: LoadColumns): LoadView[] {
  const remarkOf = new Map(remarked.map((place, i) => [place, remarks[i] ?? null]));
  const kept = new Set(detailed);
  return block.map((one, place) => ({
    place,
    block: one,
    attempt: attempt[place]!,
    ms: time[place]! < 0 ? null : time[place]! / 1000,
    remarked: remarkOf.has(place),
    remark: remarkOf.get(place) ?? null,
    detailed: kept.has(place),
  }));
}
