import { inRoundTrips, type Metric } from "./metric.ts";

/** Al-Fares et al., IMC 2011, section 4.3, count a page's round trips so: connecting is one of them. */
export const metric: Metric = {
  name: "loadRoundTrips",
  title: "time from the first SYN to the last data in RTTs",
  unit: "RTT",
  of({ packets }) {
    const { synToRequestMs, requestToLastDataMs } = packets;
    if (synToRequestMs === null || requestToLastDataMs === null) return null;
    return inRoundTrips(synToRequestMs + requestToLastDataMs, packets);
  },
};
