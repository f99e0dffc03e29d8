import type { Metric } from "./metric.ts";

/** The page load time of Al-Fares et al., IMC 2011, section 4.1.2: from the first request's packet to the last new ACK. */
export const metric: Metric = {
  name: "requestToLastAckMs",
  title: "first request to last ACK",
  unit: "ms",
  untilLoaded: true,
  of: ({ packets }) => packets.requestToLastAckMs,
  // If the last ACK was lost, the time to the last data is a lower bound, because the ACK follows the data.
  atLeast: ({ packets }) => packets.requestToLastDataMs,
};
