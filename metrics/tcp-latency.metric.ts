import type { FlowEvidence, PacketEvidence } from "../schema/packet-evidence.ts";
import type { Metric } from "./metric.ts";

/**
 * At the server, the time from a response's first segment to its last ACK (T_ACK - T_Res1 in Dukkipati et al., CCR 2010, figure 4).
 * Only for loads of one response in the clear.
 */
export const metric: Metric = {
  name: "tcpLatencyMs",
  title: "TCP latency at the server",
  unit: "ms",
  of: ({ packets }) => onlyResponse(packets)?.server?.firstDataToLastAckMs ?? null,
  // If the last ACK was lost, the bound is the client's time from request to last data, minus the server's processing time. A server that got
  // the ACK would measure this time. If the request was retransmitted, the bound is 0: retransmitting lengthens only the client's time.
  atLeast({ packets }) {
    const only = onlyResponse(packets);
    if (!only) return null;
    return only.upRetransmittedSegments > 0 ? 0 : Math.max(0, only.exchangesMs![0]! - (only.server!.turnMs ?? 0));
  },
};

function onlyResponse({ flows }: PacketEvidence): FlowEvidence | null {
  const [only, ...others] = flows.filter(({ server }) => server && server.sentSegments > 0);
  return only && others.length === 0 && only.exchangesMs?.length === 1 ? only : null;
}
