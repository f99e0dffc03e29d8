import { quantile } from "simple-statistics";
import type { Evidence } from "../schema/evidence.ts";
import { inRoundTrips, type Metric } from "./metric.ts";

/** Al-Fares et al., IMC 2011: figure 15 is for all objects, figure 16 for each connection's first object, which is sent with the initial window. */
const percentile80 = ({ packets }: Evidence, objectsPerConnection?: number): number | null => {
  const tookMs = packets.flows.flatMap(({ exchangesMs = [] }) => exchangesMs.slice(0, objectsPerConnection));
  return tookMs.length ? inRoundTrips(quantile(tookMs, 0.8), packets) : null;
};

/** Only for requests without TLS that were not pipelined. */
export const metric: Metric[] = [
  {
    name: "objectRoundTrips",
    title: "80th percentile of object transfer times, in RTTs",
    unit: "RTT",
    of: (evidence) => percentile80(evidence),
  },
  {
    name: "firstObjectRoundTrips",
    title: "80th percentile of transfer times of connections' first objects, in RTTs",
    unit: "RTT",
    of: (evidence) => percentile80(evidence, 1),
  },
];
