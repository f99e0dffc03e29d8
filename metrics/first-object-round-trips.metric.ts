import { quantile } from "simple-statistics";
import { inRoundTrips, type Metric } from "./metric.ts";

/** Al-Fares et al., IMC 2011, figure 16: of each connection's first request, when its window is the initial one. */
export const metric: Metric = {
  name: "firstObjectRoundTrips",
  title: "80th percentile of connections' first object transfer times in RTTs",
  unit: "RTT",
  of({ packets }) {
    const tookMs = packets.flows.flatMap(({ exchangesMs = [] }) => exchangesMs.slice(0, 1));
    return tookMs.length ? inRoundTrips(quantile(tookMs, 0.8), packets) : null;
  },
};
