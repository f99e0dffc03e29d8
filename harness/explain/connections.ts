/** Which of a trace's flows a connection of the browser's is: browsers do not say their own port. */
import type { ConnectionEvidence, RequestEvidence } from "../../schema/evidence.ts";
import { rowsOf, type Trace, type TracedPacket } from "../../schema/trace.ts";

/** A connection of the evidence as packets show it; its requests in the order in which they were sent. */
export interface TracedConnection {
  evidence: ConnectionEvidence;
  requests: RequestEvidence[];
  down: TracedPacket[];
  up: TracedPacket[];
}

/** A request's packet leaves within this of its being handed to the connection: the browser writes it from another thread. */
const patienceUs = 50_000;

/** @returns connections whose flow is told by when its requests left; others, as those over QUIC, are not among them */
export function tracedConnections(connections: readonly ConnectionEvidence[], trace: Trace): TracedConnection[] {
  const free = new Set(trace.flows);
  return connections.flatMap((evidence) => {
    const requests = evidence.requests
      .filter(({ sentMs }) => sentMs !== undefined)
      .toSorted((a, b) => a.sentMs! - b.sentMs!);
    const sentUs = requests.map(({ sentMs }) => trace.firstRequestUs + 1000 * sentMs!);
    const candidates = [...free].filter(({ server }) => server === evidence.address);
    const rows = new Map(candidates.map((flow) => [flow, rowsOf(flow.up)]));
    const misses = candidates.map((flow) => missUs(rows.get(flow)!, sentUs));
    const least = Math.min(...misses);
    const best = candidates[misses.indexOf(least)];
    if (!best || sentUs.length === 0 || least > patienceUs) return [];
    free.delete(best);
    return [{ evidence, requests, down: rowsOf(best.down), up: rows.get(best)! }];
  });
}

/** How far from their moments, on average, the flow sent something. */
function missUs(up: readonly TracedPacket[], momentsUs: readonly number[]): number {
  const sent = up.filter(({ bytes, repeated }) => bytes > 0 && !repeated).map(({ sentUs }) => sentUs);
  const misses = momentsUs.map((atUs) => Math.min(...sent.map((sentUs) => Math.abs(sentUs - atUs))));
  return misses.reduce((sum, us) => sum + us, 0) / misses.length;
}
