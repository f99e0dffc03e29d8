/** Finds the flow in the trace that belongs to a connection of the browser, which does not report its own port. */
import type { ConnectionEvidence, RequestEvidence } from "../../schema/evidence.ts";
import { rowsOf, type Trace, type TracedPacket } from "../../schema/trace.ts";

/** A connection with its packets, and its requests in the order in which they were sent. */
export interface TracedConnection {
  evidence: ConnectionEvidence;
  requests: RequestEvidence[];
  down: TracedPacket[];
  up: TracedPacket[];
}

/** A request's packet leaves within this time after the browser reports it as sent, because another thread writes it. */
const patienceUs = 50_000;

/** @returns the connections whose flow can be identified by the times of their requests; connections over QUIC cannot */
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

/** Mean distance in time from each request to the nearest packet that the flow sent. */
function missUs(up: readonly TracedPacket[], momentsUs: readonly number[]): number {
  const sent = up.filter(({ bytes, repeated }) => bytes > 0 && !repeated).map(({ sentUs }) => sentUs);
  const misses = momentsUs.map((atUs) => Math.min(...sent.map((sentUs) => Math.abs(sentUs - atUs))));
  return misses.reduce((sum, us) => sum + us, 0) / misses.length;
}
