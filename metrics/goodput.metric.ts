import type { Metric } from "./metric.ts";

/** The bytes that the client received, with headers and after TLS, divided by the time from the first request to the last data. */
export const metric: Metric = {
  name: "goodputKBps",
  title: "goodput",
  unit: "KB/s",
  moreIsBetter: true,
  of: ({ receivedBytes, packets: { requestToLastDataMs } }) =>
    requestToLastDataMs ? receivedBytes / requestToLastDataMs : null,
};
