import type { Evidence, PacketEvidence } from "../schema/evidence.ts";

/**
 * A number computed from a load's evidence. Each is one file of this folder, `<name>.metric.ts`, that exports `metric`; metrics
 * that share a definition share a file.
 */
export type Metric = Defined & ({ moreIsBetter?: never; gate?: InGate } | { moreIsBetter: true; gate?: never });

interface Defined {
  /** In experiments, tables and exports, with the unit at its end. */
  name: string;
  title: string;
  unit: string;
  /** It lasts until all of the page is there: of a load that never got there it is longer than the time-out. */
  untilLoaded?: true;
  /** Experiments cannot name it, so that no table, figure or claim is made of it. */
  tables?: false;
  /** Its place among the numbers that a report compares two conditions by; without it, it is not one of them. */
  compared?: number;
  /** null if this load has no such number. */
  of(evidence: Evidence): number | null;
  /**
   * Of a loaded page that does not show the number, because what ends it came too late or was lost: the least that it was. Without this, slow
   * loads would be left out for what became of them, and the others would look fast. null if the load has no such number at all.
   */
  atLeast?(evidence: Evidence): number | null;
}

/** How `./lab gate` shows a metric, and takes budgets for it: at most so much, which is why less must be better. */
export interface InGate {
  /** In budgets and JSON. */
  name: string;
  /** In tables and sentences. If absent, the metric's own. */
  title?: string;
  /** Among the lines of a table. */
  place: number;
  /** Before and after are compared, and up to this difference the instrument alone may be the cause. Without it, the metric is for budgets only. */
  comparedFromMs?: number;
  /** The same of a number that may be 0: its difference is compared, in place of its ratio. */
  comparedFrom?: number;
  /** Older labs did not record it: of their loads, a gate is as if there were no such measure. */
  recordedLater?: true;
  /** What a budget may be, as an example, if its unit does not show it. */
  example?: string;
  /** Shown only where a budget has it. */
  ifBudgeted?: true;
}

/** In round trips: sums of the quickest one-way delays. Null if no packet was captured at both ends. */
export function inRoundTrips(ms: number | null, { path: { down, up } }: PacketEvidence): number | null {
  if (ms === null || !down.transit || !up.transit) return null;
  return ms / (down.transit.least.ms + up.transit.least.ms);
}
