import type { Evidence } from "../schema/evidence.ts";
import type { Metric } from "./metric.ts";

/**
 * Goodput of each flow in KB/s, the flow with most bytes first: the size of its response with headers, divided by the time from
 * request to last data in the client's capture. Only for loads without TLS and with one response per connection.
 */
function flowGoodputsKBps({ connections, packets: { flows } }: Evidence): number[] {
  const used = flows.flatMap(({ exchangesMs = [], server }) =>
    server && server.sentSegments > 0
      ? [{ exchangesMs, segments: server.sentSegments - server.retransmittedSegments }]
      : [],
  );
  const bytes = connections.flatMap(({ requests }) => requests.map((request) => request.bytes));
  if (bytes.length !== used.length || used.some(({ exchangesMs }) => exchangesMs.length !== 1)) return [];
  // The client does not report a connection's port, so responses and flows are matched by size: most bytes, most segments.
  const tookMs = used.toSorted((a, b) => b.segments - a.segments).map(({ exchangesMs: [ms] }) => ms!);
  return bytes.toSorted((a, b) => b - a).map((received, i) => received / tookMs[i]!);
}

export const metric: Metric[] = [
  {
    name: "longFlowKBps",
    title: "goodput of the flow with most bytes",
    unit: "KB/s",
    moreIsBetter: true,
    of: (evidence) => flowGoodputsKBps(evidence)[0] ?? null,
  },
  {
    name: "shortFlowKBps",
    title: "goodput of the flow with fewest bytes",
    unit: "KB/s",
    moreIsBetter: true,
    of: (evidence) => flowGoodputsKBps(evidence).at(-1) ?? null,
  },
];
