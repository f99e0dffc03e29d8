import type { Metric } from "./metric.ts";

/**
 * T_ACK - T_Res1 of Dukkipati et al., CCR 2010, figure 4: at the server, from a response's first segment to its last ACK.
 * Only for loads of one response in the clear.
 */
export const metric: Metric = {
  name: "tcpLatencyMs",
  title: "TCP latency at the server",
  unit: "ms",
  of({ packets: { flows } }) {
    const [only, ...others] = flows.filter(({ server }) => server && server.sentSegments > 0);
    if (!only || others.length > 0 || only.exchangesMs?.length !== 1) return null;
    return only.server!.firstDataToLastAckMs ?? null;
  },
};
