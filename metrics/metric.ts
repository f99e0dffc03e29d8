import type { ClientEvidence, Evidence, PacketEvidence } from "../schema/evidence.ts";

/** The part of the evidence that metrics use. */
export type Measured = Pick<ClientEvidence, "timing" | "paint" | "connections" | "receivedBytes"> & {
  packets: PacketEvidence;
  link: Evidence["link"];
};

/**
 * A number computed from a load's evidence. Each is one file of this folder, `<name>.metric.ts`, that exports `metric`; metrics
 * that share a definition share a file.
 */
export interface Metric {
  /** Its field in a load's line, with the unit at its end. */
  name: string;
  title: string;
  unit: string;
  /** Without it, less is better. */
  moreIsBetter?: true;
  /** It lasts until all of the page is there: of a load that never got there it is longer than the time-out. */
  untilLoaded?: true;
  /** null if this load has no such number. */
  of(evidence: Measured): number | null;
  /**
   * Of a loaded page that does not show the number, because what ends it came too late or was lost: the least that it was. Without this, slow
   * loads would be left out for what became of them, and the others would look fast. null if the load has no such number at all.
   */
  atLeast?(evidence: Measured): number | null;
}

/** In round trips: sums of the quickest one-way delays. Null if no packet was captured at both ends. */
export function inRoundTrips(ms: number | null, { path: { down, up } }: PacketEvidence): number | null {
  if (ms === null || !down.transit || !up.transit) return null;
  return ms / (down.transit.least.ms + up.transit.least.ms);
}
