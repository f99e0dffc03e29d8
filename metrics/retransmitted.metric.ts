import type { Metric } from "./metric.ts";

/** Dukkipati et al., CCR 2010, section 2: retransmitted segments per segment of data; the paper counts bytes. */
export const metric: Metric = {
  name: "retransmittedPercent",
  title: "retransmission rate",
  unit: "%",
  of({ packets: { flows } }) {
    const servers = flows.flatMap(({ server }) => server ?? []);
    const sent = servers.reduce((sum, { sentSegments }) => sum + sentSegments, 0);
    const again = servers.reduce((sum, { retransmittedSegments }) => sum + retransmittedSegments, 0);
    return sent > again ? (100 * again) / (sent - again) : null;
  },
};
