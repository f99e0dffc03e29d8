import type { Metric } from "./metric.ts";

/** At the client, by packets: from the first request's segment to the last data; of a page that is one response, its latency. */
export const metric: Metric = {
  name: "requestLatencyMs",
  title: "request latency",
  unit: "ms",
  of: ({ packets }) => packets.requestToLastDataMs,
};
