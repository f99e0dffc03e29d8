/** A condition's loads, one by one, as their columns say them. */
import type { LoadColumns } from "../data/gathered.ts";

/** An attempt at a load. */
export type LoadView = ReturnType<typeof loadsOf>[number];

export function loadsOf({ block, attempt, time, remarked, remarks, detailed }: LoadColumns) {
  const remarkOf = new Map(remarked.map((place, i) => [place, remarks[i] ?? null]));
  const kept = new Set(detailed);
  return block.map((one, place) => ({
    /** Among the condition's. */
    place,
    block: one,
    attempt: attempt[place]!,
    /** In the metric's unit; null for one that failed. */
    ms: time[place]! < 0 ? null : time[place]! / 1000,
    /** It is invalid or flagged, or failed; why is null where the folder does not hold it. */
    remarked: remarkOf.has(place),
    remark: remarkOf.get(place) ?? null,
    /** It has a file of its own. */
    detailed: kept.has(place),
  }));
}
