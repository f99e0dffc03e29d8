/**
 * The times of a load's packets at both ends, and of the browser's first request, for `./lab explain` and waterfalls. A run keeps traces
 * compressed in `traces/` (harness/record/traces.ts). All times are whole microseconds since navigation start (performance.timeOrigin), by the
 * hosts' common clock. `evidence.timing` also counts from navigation start, but times of requests in the evidence (`startMs`, `sentMs`,
 * `answeredMs`, `endMs`) count from the first request: `us = firstRequestUs + 1000 * ms`.
 */
import { z } from "zod";
import { frameColumns, pieceColumns } from "./stream-trace.ts";
import { tcpStateColumns } from "./tcp-states.ts";

const column = z.array(z.int());

/** A connection's packets in one direction, in the order in which they were sent, as columns, which compress well; `rowsOf` returns the packets. */
export const directionColumns = z.strictObject({
  /** When the packet was sent: time since the previous packet, or since navigation start for the first packet. */
  sentUs: column,
  /** Time from the sender's capture to the receiver's; null if the packet did not arrive: lost, or dropped by a full queue. */
  tookUs: z.array(z.int().nullable()),
  frameBytes: column,
  /** Bytes of payload. */
  bytes: column,
  /** The position of the packet's first byte, relative to the end of all data sent before: 0 for new data, negative for a retransmission. */
  offset: column,
  /** How many more bytes of the other direction this packet acknowledges than the previous packet. */
  acknowledged: column,
  /** The end of the furthest SACK block, relative to the end of the acknowledged bytes; 0 without SACK. */
  sacked: column,
  /** The receive window that the packet offers, bytes. */
  window: column,
  /** The sum of the packet's flags: 1 SYN, 2 FIN, 4 RST, 8 PSH. */
  flags: column,
});
export type DirectionColumns = z.infer<typeof directionColumns>;

/** QUIC's datagrams in one direction, in the order in which they were sent. */
const datagramColumns = directionColumns.pick({ sentUs: true, tookUs: true, frameBytes: true });

/** The decrypted content of the same datagrams. `bytes` and `acknowledged` have one element for each datagram. */
export const openedColumns = z.strictObject({
  /** Bytes of packets that the receiver must acknowledge. A lost datagram of which only the size is known counts if it is longer than an ACK. */
  bytes: column,
  /**
   * The index (in the other direction) of the datagram with the largest packet number that this datagram acknowledges; null without an
   * acknowledgment, or if an earlier datagram has the same index or a larger one in this column.
   */
  acknowledged: z.array(z.int().nullable()),
  pieces: pieceColumns,
  /** Datagrams that allow the receiver to open more streams, and the new total number (MAX_STREAMS). Absent if there are none. Since 2026-11-28. */
  limits: z.strictObject({ datagram: column, streams: column }).optional(),
});
export type OpenedColumns = z.infer<typeof openedColumns>;

const ends = {
  /** "198.18.1.11:4432", as in the evidence. */
  server: z.string(),
  clientPort: z.int(),
};

export const traceSchema = z.strictObject({
  firstRequestUs: z.int(),
  /** TCP connections that the client's capture saw, in the order of their SYNs. `down` leads to the client. */
  flows: z.array(
    z.strictObject({
      ...ends,
      down: directionColumns,
      up: directionColumns,
      /** Over HTTP/2, if the client logged the connection's secrets. Since 2026-11-28. */
      frames: z.strictObject({ down: frameColumns, up: frameColumns }).optional(),
      /** On the virtual clock. Since 2026-11-29. */
      states: tcpStateColumns.optional(),
    }),
  ),
  /** In traces from before 2026-11-28, datagrams that were lost on the way to the client are missing. */
  quicFlows: z.array(
    z.strictObject({
      ...ends,
      down: datagramColumns,
      up: datagramColumns,
      /** If the client logged the connection's secrets. Since 2026-11-28. */
      opened: z.strictObject({ down: openedColumns, up: openedColumns }).optional(),
    }),
  ),
});
export type Trace = z.infer<typeof traceSchema>;
export type TracedFlow = Trace["flows"][number];
export type TracedQuicFlow = Trace["quicFlows"][number];

/** A packet of a trace, with absolute values. */
export interface TracedPacket {
  sentUs: number;
  /** null if the packet did not arrive. */
  arrivedUs: number | null;
  frameBytes: number;
  /** Position of the packet's first byte in the TCP stream of the direction; the first byte after the SYN has position 0. */
  offset: number;
  bytes: number;
  /** Whether it is a retransmission: all its data was sent before. */
  repeated: boolean;
  /** How many bytes of the other direction it acknowledges, and the end of its furthest SACK block. Without SACK, both are equal. */
  acknowledged: number;
  sackedTo: number;
  window: number;
  syn: boolean;
  fin: boolean;
  reset: boolean;
}

export const flagBits = { syn: 1, fin: 2, reset: 4, push: 8 } as const;

export function rowsOf(columns: DirectionColumns): TracedPacket[] {
  let [sentUs, highest, acknowledged] = [0, 0, 0];
  return columns.sentUs.map((sinceUs, i) => {
    const [tookUs = null, bytes = 0, flags = 0] = [columns.tookUs[i], columns.bytes[i], columns.flags[i]];
    sentUs += sinceUs;
    acknowledged += columns.acknowledged[i] ?? 0;
    const offset = highest + (columns.offset[i] ?? 0);
    const repeated = bytes > 0 && offset + bytes <= highest;
    highest = Math.max(highest, offset + bytes);
    return {
      sentUs,
      arrivedUs: tookUs === null ? null : sentUs + tookUs,
      frameBytes: columns.frameBytes[i] ?? 0,
      offset,
      bytes,
      repeated,
      acknowledged,
      sackedTo: acknowledged + (columns.sacked[i] ?? 0),
      window: columns.window[i] ?? 0,
      syn: (flags & flagBits.syn) > 0,
      fin: (flags & flagBits.fin) > 0,
      reset: (flags & flagBits.reset) > 0,
    };
  });
}

export function datagramTimes({ sentUs, tookUs }: Pick<DirectionColumns, "sentUs" | "tookUs">): DatagramTimes[] {
  let us = 0;
  return sentUs.map((sinceUs, i) => {
    us += sinceUs;
    const took = tookUs[i] ?? null;
    return { sentUs: us, arrivedUs: took === null ? null : us + took };
  });
}
export type DatagramTimes = Pick<TracedPacket, "sentUs" | "arrivedUs">;

/** The inverse of `rowsOf`. @param rows the packets in the order in which they were sent, each with the sum of its flags */
export function columnsOf(
  rows: readonly (Omit<TracedPacket, "repeated" | "syn" | "fin" | "reset"> & { flags: number })[],
): DirectionColumns {
  let [sentUs, highest, acknowledged] = [0, 0, 0];
  const columns: DirectionColumns = {
    sentUs: [],
    tookUs: [],
    frameBytes: [],
    bytes: [],
    offset: [],
    acknowledged: [],
    sacked: [],
    window: [],
    flags: [],
  };
  for (const row of rows) {
    columns.sentUs.push(row.sentUs - sentUs);
    columns.tookUs.push(row.arrivedUs === null ? null : row.arrivedUs - row.sentUs);
    columns.frameBytes.push(row.frameBytes);
    columns.bytes.push(row.bytes);
    columns.offset.push(row.offset - highest);
    columns.acknowledged.push(row.acknowledged - acknowledged);
    columns.sacked.push(row.sackedTo - row.acknowledged);
    columns.window.push(row.window);
    columns.flags.push(row.flags);
    [sentUs, acknowledged] = [row.sentUs, row.acknowledged];
    highest = Math.max(highest, row.offset + row.bytes);
  }
  return columns;
}
