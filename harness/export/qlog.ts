/**
 * Writes the QUIC connections of traces as qlog: the schema of draft-ietf-quic-qlog-main-schema-14 with the events of
 * draft-ietf-quic-qlog-quic-events-13. Each connection is logged twice, by its server and by its client. A datagram that one of them sent and
 * the other did not receive was lost. A trace has no packet numbers, so `datagram_id` (an index in one direction) identifies packets.
 */
import { attemptTitle } from "../../schema/attempt.ts";
import type { QuicFlowEvidence } from "../../schema/evidence.ts";
import type { GoodLoad } from "../../schema/records.ts";
import { pieceRows } from "../../schema/stream-trace.ts";
import { datagramTimes, type OpenedColumns, type Trace, type TracedQuicFlow } from "../../schema/trace.ts";

const eventSchema = "urn:ietf:params:qlog:events:quic-13";
/** The bytes of a frame that precede the UDP payload: the headers of Ethernet, IPv4 and UDP. */
const headerBytes = 14 + 20 + 8;

export interface TracedLoad {
  load: GoodLoad;
  trace: Trace;
}

export const qlogOf = (loads: readonly TracedLoad[], version: string) => ({
  file_schema: "urn:ietf:params:qlog:file:contained",
  serialization_format: "application/qlog+json",
  title: `Pageload Lab ${version}`,
  traces: loads.flatMap(({ load, trace }) =>
    trace.quicFlows.flatMap((flow, i) => tracesOf(load, flow, evidenceOf(load, i))),
  ),
});

/** A load's evidence has the same connections as the load's trace, in the same order. */
const evidenceOf = ({ evidence }: GoodLoad, place: number) => evidence.packets.quicFlows?.[place];

type End = "server" | "client";
type Frame =
  | { frame_type: "ack" }
  | { frame_type: "stream"; stream_id: number; offset: number; fin: boolean; raw: { payload_length: number } };

interface Packet {
  frames: Frame[];
  /** Our own field: the index of the last datagram, in the other direction, that the packet acknowledges. */
  acknowledges?: number;
}

function tracesOf(load: GoodLoad, flow: TracedQuicFlow, evidence: QuicFlowEvidence | undefined) {
  const group = `${attemptTitle(load)}, port ${flow.clientPort}`;
  const isEarly = (evidence?.server?.longHeaders.zeroRtt ?? 0) > 0;
  return (["server", "client"] as const).map((end) => ({
    title: `${group} to ${evidence?.host ?? flow.server}`,
    vantage_point: { name: end, type: end },
    event_schemas: [eventSchema],
    common_fields: {
      group_id: group,
      time_format: "relative_to_epoch",
      reference_time: { clock_type: "monotonic", epoch: "unknown" },
    },
    events: [...eventsOf(flow, "down", end, isEarly), ...eventsOf(flow, "up", end, isEarly)].sort(
      (a, b) => a.time - b.time,
    ),
  }));
}

/** Returns the events of the datagrams in one direction, as `end` (sender or receiver) saw them. @param isEarly the client sent 0-RTT packets */
function eventsOf(flow: TracedQuicFlow, way: "down" | "up", end: End, isEarly: boolean) {
  const isSent = (way === "down") === (end === "server");
  const packets = packetsOf(flow.opened?.[way]);
  return datagramTimes(flow[way]).flatMap(({ sentUs, arrivedUs }, place) => {
    const us = isSent ? sentUs : arrivedUs;
    if (us === null) return [];
    const length = Math.max(0, flow[way].frameBytes[place]! - headerBytes);
    const datagram = {
      time: us / 1000,
      name: `quic:udp_datagrams_${isSent ? "sent" : "received"}`,
      data: { count: 1, raw: [{ length }], datagram_ids: [place] },
    };
    const { frames, ...more }: Packet = packets[place] ?? { frames: [] };
    if (!frames.length) return [datagram];
    const isOfApplication = frames.some(({ frame_type }) => frame_type === "stream") && !(isEarly && way === "up");
    const header = { packet_type: isOfApplication ? "1RTT" : "unknown" };
    const packet = {
      time: us / 1000,
      name: `quic:packet_${isSent ? "sent" : "received"}`,
      data: { header, frames, datagram_id: place },
      ...more,
    };
    // A sender has the packet before the datagram that contains it. A receiver has the datagram first.
    return isSent ? [packet, datagram] : [datagram, packet];
  });
}

function packetsOf(opened: OpenedColumns | undefined): Packet[] {
  const packets = (opened?.acknowledged ?? []).map(
    (acknowledges): Packet =>
      acknowledges === null ? { frames: [] } : { frames: [{ frame_type: "ack" }], acknowledges },
  );
  for (const { datagram, stream, offset, bytes, fin } of opened ? pieceRows(opened.pieces) : []) {
    const frame: Frame = { frame_type: "stream", stream_id: stream, offset, fin, raw: { payload_length: bytes } };
    packets[datagram]?.frames.push(frame);
  }
  return packets;
}
