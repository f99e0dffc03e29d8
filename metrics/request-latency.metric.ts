import type { Metric } from "./metric.ts";

/** By the client's packets, from the first request's segment to the last data. For a page of one response, that is its latency. */
export const metric: Metric = {
  name: "requestLatencyMs",
  title: "request latency",
  unit: "ms",
  untilLoaded: true,
  of: ({ packets }) => packets.requestToLastDataMs,
};
