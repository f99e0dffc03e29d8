/** A capture characterised as section 3 of "Overclocking the Yahoo! CDN" (IMC 2011) does, in one pass. */
import { type ConnectionSummary, TracedConnection } from "./connection.ts";
import { Distribution } from "./distribution.ts";
import type { TracedPacket } from "./tshark.ts";

export interface Trace {
  packets: number;
  connections: number;
  /** Whose SYN the capture has not: not in durations. */
  begunBefore: number;
  /** Whose client offers HTTP/2: not in objects and requests. */
  multiplexed: number;
  rttMs: Distribution;
  connectionBytes: Distribution;
  durationMs: Distribution;
  /** Share of a connection's segments from the server that were sent again, percent. */
  retransmittedPercent: Distribution;
  objectBytes: Distribution;
  /** The same objects, each weighing as much as it has bytes. */
  bytesByObject: Distribution;
  requestsPerConnection: Distribution;
  betweenRequestsMs: Distribution;
  beyondTimeoutMs: Distribution;
}

const emptyTrace = (): Trace => ({
  packets: 0,
  connections: 0,
  begunBefore: 0,
  multiplexed: 0,
  rttMs: new Distribution(),
  connectionBytes: new Distribution(),
  durationMs: new Distribution(),
  retransmittedPercent: new Distribution(),
  objectBytes: new Distribution(),
  bytesByObject: new Distribution(),
  requestsPerConnection: new Distribution(),
  betweenRequestsMs: new Distribution(),
  beyondTimeoutMs: new Distribution(),
});

/** A connection that is silent for so long is over: what is kept is what this time sees. Servers keep idle ones for a minute or two. */
const idleMs = 600_000;

export async function traceOf(packets: AsyncIterable<TracedPacket>): Promise<Trace> {
  const trace = emptyTrace();
  // In the order of their last packets.
  const open = new Map<number, TracedConnection>();
  for await (const packet of packets) {
    trace.packets++;
    const connection = open.get(packet.connection) ?? new TracedConnection(packet);
    connection.look(packet);
    open.delete(packet.connection);
    open.set(packet.connection, connection);
    for (const [number, one] of open) {
      if (packet.timeMs - one.lastMs < idleMs) break;
      open.delete(number);
      count(one.summary(), trace);
    }
  }
  for (const one of open.values()) count(one.summary(), trace);
  return trace;
}

function count(connection: ConnectionSummary, trace: Trace): void {
  trace.connections++;
  if (connection.averageRttMs !== null) trace.rttMs.add(connection.averageRttMs);
  if (connection.whole) trace.durationMs.add(connection.durationMs);
  else trace.begunBefore++;
  trace.connectionBytes.add(connection.serverBytes);
  if (connection.serverSegments)
    trace.retransmittedPercent.add((100 * connection.retransmittedSegments) / connection.serverSegments);
  if (connection.multiplexed) trace.multiplexed++;
  else countExchanges(connection, trace);
}

function countExchanges({ exchanges }: ConnectionSummary, trace: Trace): void {
  if (exchanges.length) trace.requestsPerConnection.add(exchanges.length);
  for (const { objectBytes, sinceRequestMs, retransmissionTimeoutMs } of exchanges) {
    trace.objectBytes.add(objectBytes);
    trace.bytesByObject.add(objectBytes, objectBytes);
    if (sinceRequestMs === null) continue;
    trace.betweenRequestsMs.add(sinceRequestMs);
    if (retransmissionTimeoutMs !== null) trace.beyondTimeoutMs.add(sinceRequestMs - retransmissionTimeoutMs);
  }
}
