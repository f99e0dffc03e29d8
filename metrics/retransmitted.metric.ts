import { sum } from "simple-statistics";
import type { FlowEvidence } from "../schema/packet-evidence.ts";
import type { Metric } from "./metric.ts";

/** The servers' segments of data, and how many of them were retransmissions. */
export function segmentsIn(flows: readonly FlowEvidence[]): { sent: number; again: number } {
  const servers = flows.flatMap(({ server }) => server ?? []);
  return {
    sent: sum(servers.map(({ sentSegments }) => sentSegments)),
    again: sum(servers.map(({ retransmittedSegments }) => retransmittedSegments)),
  };
}

export const metric: Metric[] = [
  /** Dukkipati et al., CCR 2010, section 2: retransmitted segments per segment of data; the paper counts bytes. */
  {
    name: "retransmittedPercent",
    title: "retransmission rate",
    unit: "%",
    of({ packets: { flows } }) {
      const { sent, again } = segmentsIn(flows);
      return sent > again ? (100 * again) / (sent - again) : null;
    },
  },
  {
    name: "repeatedSegments",
    title: "segments retransmitted by servers",
    unit: "",
    tables: false,
    compared: 9,
    of: ({ packets: { flows } }) => (flows.length ? segmentsIn(flows).again : null),
  },
];
