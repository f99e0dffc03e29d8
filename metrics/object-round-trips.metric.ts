import { quantile } from "simple-statistics";
import { inRoundTrips, type Metric } from "./metric.ts";

/** Al-Fares et al., IMC 2011, figure 15, at the percentile that its text has. Of requests in the clear that were not pipelined. */
export const metric: Metric = {
  name: "objectRoundTrips",
  title: "80th percentile of object transfer times in RTTs",
  unit: "RTT",
  of({ packets }) {
    const tookMs = packets.flows.flatMap(({ exchangesMs = [] }) => exchangesMs);
    return tookMs.length ? inRoundTrips(quantile(tookMs, 0.8), packets) : null;
  },
};
