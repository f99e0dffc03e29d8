/** Numbers from a load's evidence that are shown beside its time when two conditions are compared. */
import { metrics } from "../../../metrics/registry.ts";
import type { Evidence } from "../../../schema/evidence.ts";

export interface Measure {
  name: string;
  title: string;
  unit: string;
  /** null if the load does not have the number. */
  of(evidence: Evidence): number | null;
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

function ofMetric(named: string): Measure {
  const { name, title, unit, of } = metrics[named]!;
  return { name, title, unit, of };
}

export const measures: readonly Measure[] = [
  {
    name: "connections",
    title: "connections used",
    unit: "",
    of: ({ connections }) => connections.filter(({ requests }) => requests.length > 0).length,
  },
  {
    name: "handshakeMs",
    title: "quickest handshake",
    unit: "ms",
    of({ packets: { flows, quicFlows = [] } }) {
      const seen = [...flows, ...quicFlows].flatMap(({ handshakeMs }) => handshakeMs ?? []);
      return seen.length ? Math.min(...seen) : null;
    },
  },
  { name: "firstByteMs", title: "first byte", unit: "ms", of: ({ timing }) => timing.responseStart ?? null },
  ofMetric("firstContentfulPaintMs"),
  ofMetric("largestContentfulPaintMs"),
  { name: "receivedKilobytes", title: "bytes received", unit: "kB", of: ({ receivedBytes }) => receivedBytes / 1000 },
  {
    name: "lostPackets",
    title: "packets lost at random",
    unit: "",
    of: ({ link: { down, up } }) => down.lostPackets + up.lostPackets,
  },
  {
    name: "queueDrops",
    title: "packets a full queue dropped",
    unit: "",
    of: ({ link: { down, up } }) => down.queueDroppedPackets + up.queueDroppedPackets,
  },
  {
    name: "repeatedSegments",
    title: "segments retransmitted by servers",
    unit: "",
    of: ({ packets: { flows } }) =>
      flows.length ? sum(flows.map(({ server }) => server?.retransmittedSegments ?? 0)) : null,
  },
  { name: "processorMs", title: "CPU time of the lab", unit: "ms", of: ({ processor }) => processor.labMs },
];
