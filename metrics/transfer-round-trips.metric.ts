import { inRoundTrips, type Metric } from "./metric.ts";

/** Al-Fares et al., IMC 2011, figures 15 and 16, normalise transfer times so. */
export const metric: Metric = {
  name: "transferRoundTrips",
  title: "time from the first request to the last data in RTTs",
  unit: "RTT",
  of: ({ packets }) => inRoundTrips(packets.requestToLastDataMs, packets),
};
