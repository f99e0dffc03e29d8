import type { Metric } from "./metric.ts";

/** The draft, section 6: what address translators and other boxes on the way keep a state for. Those that carried no request count too. */
export const metric: Metric = {
  name: "tcpConnections",
  title: "TCP connections",
  unit: "",
  of: ({ packets: { flows } }) => flows.length || null,
};
