import type { Metric } from "./metric.ts";

/** What the client received with headers, after TLS, in the time from the first request to the last data. */
export const metric: Metric = {
  name: "goodputKBps",
  title: "goodput",
  unit: "KB/s",
  moreIsBetter: true,
  of: ({ receivedBytes, packets: { requestToLastDataMs } }) =>
    requestToLastDataMs ? receivedBytes / requestToLastDataMs : null,
};
