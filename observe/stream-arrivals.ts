/** When responses' bytes arrived, and when the client could read them: TCP delivers in the connection's order, QUIC in each stream's order. */
import { frameRows, pieceRows } from "../schema/stream-trace.ts";
import { datagramTimes, type OpenedColumns, rowsOf, type TracedFlow, type TracedQuicFlow } from "../schema/trace.ts";
import { type ArrivedRange, firstArrivals } from "./first-arrivals.ts";

/** Bytes of one stream that arrived together. Times are in microseconds since navigation start. */
export interface StreamBytes {
  stream: number;
  bytes: number;
  /** The index of the packet that carried them, among the server's packets. */
  place: number;
  arrivedUs: number;
  /** When all earlier bytes of the stream had arrived too. */
  inOrderUs: number;
  /** When the client could read them: over TCP, when all earlier bytes of the connection had arrived; over QUIC the same as `inOrderUs`. */
  readableUs: number;
}

/** The bytes of all responses over HTTP/2, in the order of the TCP stream; null if the connection was not decrypted. */
export function http2Bytes({ down, frames }: Pick<TracedFlow, "down" | "frames">): StreamBytes[] | null {
  if (!frames) return null;
  const arrived = firstArrivals(
    rowsOf(down).flatMap(({ offset, bytes, arrivedUs }, place) =>
      bytes > 0 && arrivedUs !== null ? [{ from: offset, to: offset + bytes, arrivedUs, place }] : [],
    ),
  );
  const inOrder = new Latest();
  const all: StreamBytes[] = [];
  let [i, readableUs] = [0, 0];
  for (const { stream, at, bytes } of frameRows(frames.down)) {
    const end = at + bytes;
    for (; i < arrived.length && arrived[i]!.from < end; i++) {
      const { from, to, arrivedUs, place } = arrived[i]!;
      readableUs = Math.max(readableUs, arrivedUs);
      const part = Math.min(to, end) - Math.max(from, at);
      if (part > 0)
        all.push({ stream, bytes: part, place, arrivedUs, inOrderUs: inOrder.of(stream, arrivedUs), readableUs });
      if (to > end) break; // the rest belongs to the next frame
    }
  }
  return all;
}

/** The bytes of all responses over HTTP/3, in the order of each stream; null if the connection was not decrypted. */
export function http3Bytes({ down, opened }: Pick<TracedQuicFlow, "down" | "opened">): StreamBytes[] | null {
  if (!opened) return null;
  const inOrder = new Latest();
  return [...requestStreams(down, opened.down)].flatMap(([stream, pieces]) => {
    const arrived = pieces.flatMap(({ from, to, place, arrivedUs }) =>
      arrivedUs === null ? [] : [{ from, to, place, arrivedUs }],
    );
    return firstArrivals(arrived).map(({ from, to, arrivedUs, place }) => {
      const inOrderUs = inOrder.of(stream, arrivedUs);
      return { stream, bytes: to - from, place, arrivedUs, inOrderUs, readableUs: inOrderUs };
    });
  });
}

/** Bytes of a stream that a datagram carried, or only the stream's end (`fin`); `arrivedUs` is null if the datagram was lost. */
export type SentRange = Omit<ArrivedRange, "arrivedUs"> & { arrivedUs: number | null; fin: boolean };

/** The ranges that one side sent on each request's stream, in the order in which they were sent. */
export function requestStreams(side: TracedQuicFlow["down"], { pieces }: OpenedColumns): Map<number, SentRange[]> {
  const times = datagramTimes(side);
  const byStream = new Map<number, SentRange[]>();
  for (const { datagram: place, stream, offset, bytes, fin } of pieceRows(pieces)) {
    if (!isRequest(stream)) continue;
    const own = byStream.get(stream) ?? [];
    byStream.set(stream, own);
    own.push({ from: offset, to: offset + bytes, arrivedUs: times[place]?.arrivedUs ?? null, place, fin });
  }
  return byStream;
}

/** The latest arrival of each stream's bytes so far. */
class Latest {
  readonly #us = new Map<number, number>();

  of(stream: number, arrivedUs: number): number {
    const us = Math.max(this.#us.get(stream) ?? 0, arrivedUs);
    this.#us.set(stream, us);
    return us;
  }
}

/** The streams that a client opens for requests have IDs that are multiples of four (RFC 9000, section 2.1). */
const isRequest = (stream: number) => stream % 4 === 0;
