import type { Metric } from "./metric.ts";

export const metric: Metric[] = [
  /** SPDY draft, section 6: NATs and other middleboxes keep state for each connection, including those without a request. */
  {
    name: "tcpConnections",
    title: "TCP connections",
    unit: "",
    of: ({ packets: { flows } }) => flows.length || null,
  },
  /** TCP and QUIC connections with a request, as the client reports them. */
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
