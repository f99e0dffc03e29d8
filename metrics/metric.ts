import type { ClientEvidence, Evidence, PacketEvidence } from "../schema/evidence.ts";

/** What a metric may be computed from. */
export type Measured = Pick<ClientEvidence, "timing" | "paint" | "connections" | "receivedBytes"> & {
  packets: PacketEvidence;
  link: Evidence["link"];
};

/**
 * A number that says how a load went, from its evidence alone. Each is one file of this folder, `<name>.metric.ts`, that
 * exports `metric`.
 */
export interface Metric {
  /** Its field in a load's line, with the unit at its end. */
  name: string;
  title: string;
  unit: string;
  /** Of most, less is. */
  moreIsBetter?: true;
  /** null where this load has none. */
  of(evidence: Measured): number | null;
}

/** By the quickest packet of each direction; null where none was seen at both ends. */
export const roundTripMs = ({ path: { down, up } }: PacketEvidence): number | null =>
  down.transit && up.transit ? down.transit.least.ms + up.transit.least.ms : null;

/** What left the shaper in both directions, as its kernel counts. */
export const linkPackets = ({ link: { down, up } }: Measured): { packets: number; bytes: number } => ({
  packets: down.sentPackets + up.sentPackets,
  bytes: down.sentBytes + up.sentBytes,
});

/** In round trips. */
export function inRoundTrips(ms: number | null, packets: PacketEvidence): number | null {
  const one = roundTripMs(packets);
  return ms === null || one === null ? null : ms / one;
}
