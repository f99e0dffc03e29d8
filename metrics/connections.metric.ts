import type { Evidence } from "../schema/evidence.ts";
import { type Metric, ofConnections } from "./metric.ts";

/** For each connection with a response: the time from its first request to the end of its last response. */
const usesMs = ({ connections }: Evidence): number[] =>
  connections.flatMap(({ requests }) => {
    const endsMs = requests.flatMap(({ endMs }) => endMs ?? []);
    return endsMs.length ? Math.max(...endsMs) - Math.min(...requests.map(({ startMs }) => startMs)) : [];
  });

export const metric: Metric[] = [
  /** SPDY draft, section 6: NATs and other middleboxes keep state for each connection, including those without a request. */
  {
    name: "tcpConnections",
    title: "TCP connections",
    unit: "",
    of: ({ packets: { flows } }) => flows.length || null,
  },
  /** SPDY draft, section 6: TCP's congestion avoidance matters more to sessions that last longer. */
  {
    name: "connectionUseMs",
    title: "time from a connection's first request to its last response",
    unit: "ms",
    ...ofConnections(usesMs),
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
