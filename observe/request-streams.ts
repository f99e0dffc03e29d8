/** Which stream of a decrypted connection carried which request. */

import type { RequestEvidence } from "../schema/evidence.ts";
import { frameRows } from "../schema/stream-trace.ts";
import type { OpenedColumns, TracedFlow, TracedPacket, TracedQuicFlow } from "../schema/trace.ts";
import { requestStreams } from "./stream-arrivals.ts";

/** Bytes of a response: the place of their packet, and their position, over HTTP/2 in the TCP stream, over HTTP/3 in their own. */
export interface StreamPiece {
  place: number;
  from: number;
  to: number;
  /** Over HTTP/3: the stream ends with it. */
  fin?: boolean;
}

export interface ResponseStream {
  bytes: number;
  pieces: StreamPiece[];
}

/** The responses of an HTTP/2 connection by stream; null if it was not decrypted. @param down the packets that the server sent */
export function http2Responses(
  { frames }: TracedFlow,
  down: readonly TracedPacket[],
): Map<number, ResponseStream> | null {
  if (!frames) return null;
  const byStream = new Map<number, ResponseStream>();
  const packets = down.flatMap(({ offset, bytes, repeated }, place) =>
    bytes > 0 && !repeated ? [{ place, from: offset, to: offset + bytes }] : [],
  );
  let first = 0;
  for (const { stream, at, bytes } of frameRows(frames.down)) {
    const own = byStream.get(stream) ?? { bytes: 0, pieces: [] };
    byStream.set(stream, own);
    own.bytes += bytes;
    while (first < packets.length && packets[first]!.to <= at) first++;
    for (let i = first; i < packets.length && packets[i]!.from < at + bytes; i++) own.pieces.push(packets[i]!);
  }
  return byStream;
}

/** The responses of an HTTP/3 connection by stream. */
export const http3Responses = (down: TracedQuicFlow["down"], opened: OpenedColumns): Map<number, ResponseStream> =>
  new Map(
    [...requestStreams(down, opened)].map(([stream, pieces]) => [
      stream,
      { bytes: pieces.reduce((most, { to }) => Math.max(most, to), 0), pieces },
    ]),
  );

/**
 * A browser does not report streams, but the size of each response, with headers. Requests whose responses have the same size are taken
 * in the order of their streams.
 * @param requests in the order in which they were sent @returns the streams that were found
 */
export function streamsOf(
  requests: readonly RequestEvidence[],
  responses: ReadonlyMap<number, ResponseStream>,
): Map<RequestEvidence, number> {
  const free = [...responses].toSorted(([a], [b]) => a - b);
  return new Map(
    requests.flatMap((request): [RequestEvidence, number][] => {
      const i = free.findIndex(([, { bytes }]) => bytes === request.bytes);
      const found = i < 0 ? undefined : free.splice(i, 1)[0];
      return found ? [[request, found[0]]] : [];
    }),
  );
}
