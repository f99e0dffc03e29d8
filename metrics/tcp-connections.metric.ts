import type { Metric } from "./metric.ts";

/** The draft, section 6: address translators and other middleboxes keep state for each. Those without a request count too. */
export const metric: Metric = {
  name: "tcpConnections",
  title: "TCP connections",
  unit: "",
  of: ({ packets: { flows } }) => flows.length || null,
};
