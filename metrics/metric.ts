import type { ClientEvidence, PacketEvidence } from "../schema/evidence.ts";

/** What a metric may be computed from. */
export type Measured = Pick<ClientEvidence, "timing" | "connections"> & { packets: PacketEvidence };

/**
 * A number that says how a load went, from its evidence alone. Each is one file of this folder, `<name>.metric.ts`, that
 * exports `metric`. Less is better.
 */
export interface Metric {
  /** Its field in a load's line, with the unit at its end. */
  name: string;
  title: string;
  unit: string;
  /** null where this load has none. */
  of(evidence: Measured): number | null;
}
