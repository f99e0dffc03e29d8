/** Evidence of the streams on a load's connections, from the load's trace. */
import type { ConnectionEvidence } from "../schema/evidence.ts";
import type { PacketEvidence, StreamsEvidence } from "../schema/packet-evidence.ts";
import type { Trace } from "../schema/trace.ts";
import { http2Streams, http3Streams } from "./head-of-line.ts";
import { orderIn } from "./priorities.ts";

/** Returns the evidence of each connection, TCP's connections first; null for each connection that was not decrypted or had no responses. */
export function streamsIn(trace: Trace, connections: readonly ConnectionEvidence[]): (StreamsEvidence | null)[] {
  const orders = orderIn(trace, connections);
  return [...trace.flows.map(http2Streams), ...trace.quicFlows.map(http3Streams)].map(
    (streams, i) => streams && { ...streams, ...orders[i] },
  );
}

/** Adds the evidence of streams to the connections in `packets`. The trace must have the same connections in the same order. */
export function withStreams(
  packets: PacketEvidence,
  trace: Trace,
  connections: readonly ConnectionEvidence[],
): PacketEvidence {
  const streams = streamsIn(trace, connections);
  const add = <Flow>(flows: readonly Flow[], from: number): Flow[] =>
    flows.map((flow, i) => ({ ...flow, ...(streams[from + i] && { streams: streams[from + i] }) }));
  const { flows, quicFlows = [] } = packets;
  return { ...packets, flows: add(flows, 0), quicFlows: add(quicFlows, flows.length) };
}
