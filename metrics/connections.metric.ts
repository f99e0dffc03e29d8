import type { Metric } from "./metric.ts";

export const metric: Metric[] = [
  /** The draft, section 6: address translators and other middleboxes keep state for each. Those without a request count too. */
  {
    name: "tcpConnections",
    title: "TCP connections",
    unit: "",
    of: ({ packets: { flows } }) => flows.length || null,
  },
  /** As the client tells, of TCP and QUIC; those without a request do not count. */
  {
    name: "connections",
    title: "connections used",
    unit: "",
    tables: false,
    compared: 1,
    gate: { name: "connections", title: "connections", place: 7 },
    of: ({ connections }) => connections.filter(({ requests }) => requests.length > 0).length,
  },
];
