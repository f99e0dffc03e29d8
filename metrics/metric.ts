import { median } from "simple-statistics";
import type { Evidence, PacketEvidence } from "../schema/evidence.ts";

/**
 * A number computed from a load's evidence. Each metric is one file in this folder, `<name>.metric.ts`, that exports `metric`;
 * a file may export several. A metric with `moreIsBetter`, such as goodput, is compared by differences, never by speedups.
 */
export type Metric = Defined & ({ moreIsBetter?: never; gate?: InGate } | { moreIsBetter: true; gate?: never });

interface Defined {
  /** As used in experiments, tables and exports, ending in the unit. */
  name: string;
  title: string;
  unit: string;
  /** The measured time ends when the whole page has loaded. For a load that never finished, it is longer than the time-out. */
  untilLoaded?: true;
  /** Experiments cannot name it, so no table, figure or claim uses it. */
  tables?: false;
  /** Its position among the metrics by which a report compares two conditions; absent if reports do not use it. */
  compared?: number;
  /** null if the load's evidence does not have the number. */
  of(evidence: Evidence): number | null;
  /** If each connection has a number: the numbers of all connections. `of` is their median; statistics of a condition pool the numbers of its loads. */
  each?(evidence: Evidence): number[];
  /**
   * A lower bound for a loaded page whose evidence lacks the number, because the event that ends the measured time came too late or was lost.
   * Without this bound, slow loads would be dropped because they were slow. null if the load cannot have the number at all.
   */
  atLeast?(evidence: Evidence): number | null;
}

/** How `./lab gate` shows a metric and accepts budgets for it. A budget is an upper limit, so smaller values must be better. */
export interface InGate {
  /** As used in budgets and JSON. */
  name: string;
  /** Its title in tables and sentences. Default: the metric's own. */
  title?: string;
  /** Its position among the rows of a table. */
  place: number;
  /** A gate compares versions by this metric only if it has this field or `comparedFrom`. A difference up to this may be measurement error. */
  comparedFromMs?: number;
  /** The same for a metric that may be 0: its difference is compared instead of its ratio. */
  comparedFrom?: number;
  /** Older versions of the lab did not record the metric: for their loads, a gate leaves it out. */
  recordedLater?: true;
  /** An example of a budget, if the unit does not suggest one. */
  example?: string;
  /** Shown only if there is a budget for it. */
  ifBudgeted?: true;
}

/** For a metric of connections. @param each the number of each connection that has one */
export const ofConnections = (each: (evidence: Evidence) => number[]): Pick<Metric, "of" | "each"> => ({
  each,
  of(evidence) {
    const numbers = each(evidence);
    return numbers.length ? median(numbers) : null;
  },
});

/** Divides a time by the RTT: the sum of both directions' quickest delays. Null if in one direction no packet was captured at both ends. */
export function inRoundTrips(ms: number | null, { path: { down, up } }: PacketEvidence): number | null {
  if (ms === null || !down.transit || !up.transit) return null;
  return ms / (down.transit.least.ms + up.transit.least.ms);
}
