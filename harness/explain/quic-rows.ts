/** Turns QUIC datagrams into rows like those of TCP segments, so that both protocols are explained in the same way. */
import { pieceRows } from "../../schema/stream-trace.ts";
import { datagramTimes, type OpenedColumns, type TracedPacket, type TracedQuicFlow } from "../../schema/trace.ts";

/** A receive window that limits no sender, because a trace does not have QUIC's flow-control limits. */
export const noWindow = Number.MAX_SAFE_INTEGER;

/**
 * `offset` counts bytes that must be acknowledged; each datagram has new ones, because QUIC never retransmits a packet. `repeated` means that the
 * datagram's stream bytes were sent before. `acknowledged` includes lost packets before the largest acknowledged one: they are no longer in flight.
 */
export function quicRows(
  { down, up }: TracedQuicFlow,
  opened: NonNullable<TracedQuicFlow["opened"]>,
): { down: TracedPacket[]; up: TracedPacket[] } {
  const rows = { down: sentRows(down, opened.down), up: sentRows(up, opened.up) };
  acknowledge(rows.down, opened.down.acknowledged, rows.up);
  acknowledge(rows.up, opened.up.acknowledged, rows.down);
  return rows;
}

function sentRows(side: TracedQuicFlow["down"], { bytes, pieces }: OpenedColumns): TracedPacket[] {
  const repeated = repeatingDatagrams(pieces);
  let offset = 0;
  return datagramTimes(side).map((times, i) => {
    const own = bytes[i] ?? 0;
    const row: TracedPacket = {
      ...times,
      frameBytes: side.frameBytes[i]!,
      offset,
      bytes: own,
      repeated: repeated.has(i),
      acknowledged: 0,
      sackedTo: 0,
      window: noWindow,
      syn: i === 0,
      fin: false,
      reset: false,
    };
    offset += own;
    return row;
  });
}

/** Finds the datagrams whose stream bytes were sent before. A stream's end counts as one more byte, because its frame may have no data. */
function repeatingDatagrams(pieces: OpenedColumns["pieces"]): Set<number> {
  const ends = new Map<number, number>();
  const places = new Set<number>();
  for (const { datagram, stream, offset, bytes, fin } of pieceRows(pieces)) {
    const end = ends.get(stream) ?? 0;
    const to = offset + bytes + (fin ? 1 : 0);
    if (to <= end) places.add(datagram);
    ends.set(stream, Math.max(end, to));
  }
  return places;
}

function acknowledge(
  rows: TracedPacket[],
  places: OpenedColumns["acknowledged"],
  others: readonly TracedPacket[],
): void {
  let acknowledged = 0;
  for (const [i, row] of rows.entries()) {
    const place = places[i] ?? null;
    const other = place === null ? undefined : others[place];
    if (other) acknowledged = Math.max(acknowledged, other.offset + other.bytes);
    row.acknowledged = acknowledged;
    row.sackedTo = acknowledged;
  }
}
