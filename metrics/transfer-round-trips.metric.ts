import { inRoundTrips, type Metric } from "./metric.ts";

/** Al-Fares et al., IMC 2011: figures 15 and 16 have transfer times in RTTs; section 4.3 counts a page's round trips, with the one for connecting. */
export const metric: Metric[] = [
  {
    name: "transferRoundTrips",
    title: "time from the first request to the last data, in RTTs",
    unit: "RTT",
    of: ({ packets }) => inRoundTrips(packets.requestToLastDataMs, packets),
  },
  {
    name: "loadRoundTrips",
    title: "time from the first SYN to the last data, in RTTs",
    unit: "RTT",
    of({ packets }) {
      const { synToRequestMs, requestToLastDataMs } = packets;
      if (synToRequestMs === null || requestToLastDataMs === null) return null;
      return inRoundTrips(synToRequestMs + requestToLastDataMs, packets);
    },
  },
];
