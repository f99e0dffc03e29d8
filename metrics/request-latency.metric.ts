import type { Metric } from "./metric.ts";

/** From the first request's segment to the last data, in the client's capture. For a page with one response, this is its latency. */
export const metric: Metric = {
  name: "requestLatencyMs",
  title: "request latency",
  unit: "ms",
  untilLoaded: true,
  of: ({ packets }) => packets.requestToLastDataMs,
};
