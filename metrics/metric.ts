import { median } from "simple-statistics";
import type { Evidence, PacketEvidence } from "../schema/evidence.ts";

/**
 * A number computed from a load's evidence. Each file `<name>.metric.ts` in this folder exports one metric, or several, as `metric`.
 * A metric with `moreIsBetter`, such as goodput, is compared by differences, never by speedups.
 */
export type Metric = Defined & ({ moreIsBetter?: never; gate?: InGate } | { moreIsBetter: true; gate?: never });

interface Defined {
  /** As used in experiments, tables and exports, ending in the unit. */
  name: string;
  title: string;
  unit: string;
  /** Set if the measured time ends when the whole page has loaded. For a load that never finished, the time is longer than the time-out. */
  untilLoaded?: true;
  /** Set if experiments cannot name the metric, so that no table, figure or claim uses it. */
  tables?: false;
  /** The metric's position among those by which a report compares two conditions; absent if reports do not compare it. */
  compared?: number;
  /** null if the load's evidence does not have the number. */
  of(evidence: Evidence): number | null;
  /** For metrics of connections: returns all connections' numbers, of which `of` is the median. A condition's statistics pool these numbers. */
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
  /** The title in tables and sentences. Default: the metric's title. */
  title?: string;
  /** Its position among the rows of a table. */
  place: number;
  /** A gate compares versions by this metric only if it has this field or `comparedFrom`. Differences up to this value may be measurement errors. */
  comparedFromMs?: number;
  /** Like `comparedFromMs`, but for a metric that may be 0. A gate compares differences of such a metric instead of ratios. */
  comparedFrom?: number;
  /** Set if older versions of the lab did not record the metric. A gate leaves the metric out for loads of those versions. */
  recordedLater?: true;
  /** An example of a budget, if the unit does not suggest one. */
  example?: string;
  /** Set if the metric is shown only when it has a budget. */
  ifBudgeted?: true;
}

/** Defines a metric whose number is the median over connections. @param each returns the numbers of all connections that have one */
export const ofConnections = (each: (evidence: Evidence) => number[]): Pick<Metric, "of" | "each"> => ({
  each,
  of(evidence) {
    const numbers = each(evidence);
    return numbers.length ? median(numbers) : null;
  },
});

/** Divides a time by the RTT, which is the sum of both directions' smallest delays. Null if a direction has no packet captured at both ends. */
export function inRoundTrips(ms: number | null, { path: { down, up } }: PacketEvidence): number | null {
  if (ms === null || !down.transit || !up.transit) return null;
  return ms / (down.transit.least.ms + up.transit.least.ms);
}
