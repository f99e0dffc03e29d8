/**
 * To which stream each byte of a connection belongs: a part of a load's trace (trace.ts), for HTTP/2 and HTTP/3 connections whose secrets the
 * client logged. Each property is a column, because columns compress well. Since 2026-11-28.
 */
import { z } from "zod";

const column = z.array(z.int());

/** Over HTTP/2: HEADERS and DATA frames, with frame headers, in one direction of a TCP stream. A frame in several TLS records has several parts. */
export const frameColumns = z.strictObject({
  stream: column,
  /** The position of the part's first byte, relative to the end of the previous part. */
  at: column,
  bytes: column,
});
export type FrameColumns = z.infer<typeof frameColumns>;

/** Over HTTP/3: the STREAM frames in one direction. Of datagrams that did not arrive, only the first 256 bytes are known. */
export const pieceColumns = z.strictObject({
  /** The index of the piece's datagram in its direction, relative to the index of the previous piece's datagram. */
  datagram: column,
  stream: column,
  /** The piece's first byte, relative to the end of all earlier data of the stream: 0 for new data, negative for a retransmission. */
  offset: column,
  bytes: column,
  /** 1 if this piece ends the stream (FIN); such a piece may have no bytes. */
  fin: column,
});
export type PieceColumns = z.infer<typeof pieceColumns>;

/** A part of a frame at absolute positions of the TCP stream; the first byte after the SYN has position 0. */
export interface FrameRow {
  stream: number;
  at: number;
  bytes: number;
}

export function frameRows(columns: FrameColumns): FrameRow[] {
  let end = 0;
  return columns.stream.map((stream, i) => {
    const [at, bytes] = [end + columns.at[i]!, columns.bytes[i]!];
    end = at + bytes;
    return { stream, at, bytes };
  });
}

/** The inverse of `frameRows`. @param rows the parts of frames, sorted by position */
export function frameColumnsOf(rows: readonly FrameRow[]): FrameColumns {
  return {
    stream: rows.map(({ stream }) => stream),
    at: rows.map(({ at }, i) => at - (i > 0 ? rows[i - 1]!.at + rows[i - 1]!.bytes : 0)),
    bytes: rows.map(({ bytes }) => bytes),
  };
}

/** `datagram`: the index of the datagram in its direction. `offset`: the position of the piece in the stream. */
export interface PieceRow {
  datagram: number;
  stream: number;
  offset: number;
  bytes: number;
  fin: boolean;
}

export function pieceRows(columns: PieceColumns): PieceRow[] {
  let datagram = 0;
  const ends = new Map<number, number>();
  return columns.stream.map((stream, i) => {
    datagram += columns.datagram[i]!;
    const [end, bytes] = [ends.get(stream) ?? 0, columns.bytes[i]!];
    const offset = end + columns.offset[i]!;
    ends.set(stream, Math.max(end, offset + bytes));
    return { datagram, stream, offset, bytes, fin: columns.fin[i] === 1 };
  });
}

/** The inverse of `pieceRows`. @param rows the pieces, sorted by their datagrams' places */
export function pieceColumnsOf(rows: readonly PieceRow[]): PieceColumns {
  const columns: PieceColumns = { datagram: [], stream: [], offset: [], bytes: [], fin: [] };
  let before = 0;
  const ends = new Map<number, number>();
  for (const { datagram, stream, offset, bytes, fin } of rows) {
    const end = ends.get(stream) ?? 0;
    columns.datagram.push(datagram - before);
    columns.stream.push(stream);
    columns.offset.push(offset - end);
    columns.bytes.push(bytes);
    columns.fin.push(fin ? 1 : 0);
    before = datagram;
    ends.set(stream, Math.max(end, offset + bytes));
  }
  return columns;
}
