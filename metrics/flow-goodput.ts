import type { Measured } from "./metric.ts";

/**
 * Goodput of each flow in KB/s, the one with most bytes first: its response with headers, in the time from its request to its last
 * data, by the client's packets. Of loads in the clear where each connection was asked for one response; others have none.
 */
export function flowGoodputsKBps({ connections, packets: { flows } }: Measured): number[] {
  const used = flows.flatMap(({ exchangesMs = [], server }) =>
    server && server.sentSegments > 0
      ? [{ exchangesMs, segments: server.sentSegments - server.retransmittedSegments }]
      : [],
  );
  const bytes = connections.flatMap(({ requests }) => requests.map((request) => request.bytes));
  if (bytes.length !== used.length || used.some(({ exchangesMs }) => exchangesMs.length !== 1)) return [];
  // What a client says of a connection does not name its port: the most bytes came in the most segments.
  const tookMs = used.toSorted((a, b) => b.segments - a.segments).map(({ exchangesMs: [ms] }) => ms!);
  return bytes.toSorted((a, b) => b - a).map((received, i) => received / tookMs[i]!);
}
