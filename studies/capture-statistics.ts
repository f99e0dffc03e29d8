/** Computes the capture statistics of "Overclocking the Yahoo! CDN" (IMC 2011, section 3) in one pass over the packets. */
import { type ConnectionSummary, TracedConnection } from "./connection.ts";
import { Distribution } from "./distribution.ts";
import type { TracedPacket } from "./tshark.ts";

export class CaptureStatistics {
  packets = 0;
  connections = 0;
  /** Connections whose SYN was not captured. They are left out of durations. */
  begunBefore = 0;
  /** Connections whose client offers HTTP/2. They are left out of objects and requests. */
  multiplexed = 0;
  readonly rttMs = new Distribution();
  readonly connectionBytes = new Distribution();
  readonly durationMs = new Distribution();
  /** The share of retransmissions among a connection's segments from the server. */
  readonly retransmittedPercent = new Distribution();
  readonly objectBytes = new Distribution();
  /** Object sizes, each weighted by the object's bytes. */
  readonly bytesByObject = new Distribution();
  readonly requestsPerConnection = new Distribution();
  readonly betweenRequestsMs = new Distribution();
  readonly beyondTimeoutMs = new Distribution();
}

/** A connection that is silent for this long counts as ended, to free its memory. Servers keep idle connections for a minute or two. */
const idleMs = 600_000;

export async function statisticsOf(packets: AsyncIterable<TracedPacket>): Promise<CaptureStatistics> {
  const trace = new CaptureStatistics();
  // By connection number, in the order of each connection's last packet.
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

function count(connection: ConnectionSummary, trace: CaptureStatistics): void {
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

function countExchanges({ exchanges }: ConnectionSummary, trace: CaptureStatistics): void {
  if (exchanges.length) trace.requestsPerConnection.add(exchanges.length);
  for (const { objectBytes, sinceRequestMs, retransmissionTimeoutMs } of exchanges) {
    trace.objectBytes.add(objectBytes);
    trace.bytesByObject.add(objectBytes, objectBytes);
    if (sinceRequestMs === null) continue;
    trace.betweenRequestsMs.add(sinceRequestMs);
    if (retransmissionTimeoutMs !== null) trace.beyondTimeoutMs.add(sinceRequestMs - retransmissionTimeoutMs);
  }
}
