/** A condition's loads, read from the columns of its data. */
import type { LoadColumns } from "../data/gathered.ts";
import { unpackedTime } from "../data/packed-time.ts";

/** A load, or a failed attempt. */
export type LoadView = ReturnType<typeof loadsOf>[number];

export function loadsOf({ block, attempt, time, remarked, remarks, detailed }: LoadColumns) {
  const remarkOf = new Map(remarked.map((place, i) => [place, remarks[i] ?? null]));
  const kept = new Set(detailed);
  return block.map((one, place) => ({
    /** The load's index among the condition's attempts. */
    place,
    block: one,
    attempt: attempt[place]!,
    /** The metric's value, in its unit; Infinity if the load never ended, null if the attempt has no valid time. */
    ms: unpackedTime(time[place]!),
    /** Whether the load is invalid, flagged or failed. `remark` is null if the report's folder does not have the reason. */
    remarked: remarkOf.has(place),
    remark: remarkOf.get(place) ?? null,
    /** Whether the report has a file with the load's details. */
    detailed: kept.has(place),
  }));
}
