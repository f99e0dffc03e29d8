/** The statistics that section 3 of "Overclocking the Yahoo! CDN" (IMC 2011) has of captures, computed in one pass. */
import { type ConnectionSummary, TracedConnection } from "./connection.ts";
import { Distribution } from "./distribution.ts";
import type { TracedPacket } from "./tshark.ts";

export class CaptureStatistics {
  packets = 0;
  connections = 0;
  /** Connections whose SYN was not captured: not in durations. */
  begunBefore = 0;
  /** Connections whose client offers HTTP/2: not in objects and requests. */
  multiplexed = 0;
  readonly rttMs = new Distribution();
  readonly connectionBytes = new Distribution();
  readonly durationMs = new Distribution();
  /** The share of retransmissions among a connection's segments from the server. */
  readonly retransmittedPercent = new Distribution();
  readonly objectBytes = new Distribution();
  /** The same objects, weighted by their bytes. */
  readonly bytesByObject = new Distribution();
  readonly requestsPerConnection = new Distribution();
  readonly betweenRequestsMs = new Distribution();
  readonly beyondTimeoutMs = new Distribution();
}

/** A connection that was silent for this long is over, and is forgotten. Servers keep idle ones for a minute or two. */
const idleMs = 600_000;

export async function statisticsOf(packets: AsyncIterable<TracedPacket>): Promise<CaptureStatistics> {
  const trace = new CaptureStatistics();
  // Sorted by their last packets.
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
