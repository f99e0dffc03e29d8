/** Finds which stream of a decrypted connection carried which request. */
import type { ConnectionEvidence, RequestEvidence } from "../schema/evidence.ts";
import { frameRows } from "../schema/stream-trace.ts";
import {
  type OpenedColumns,
  rowsOf,
  type Trace,
  type TracedFlow,
  type TracedPacket,
  type TracedQuicFlow,
} from "../schema/trace.ts";
import { requestStreams } from "./stream-arrivals.ts";

/** Bytes of a response in the packet with index `place`. `from` and `to` count in the TCP stream (HTTP/2) or the response's stream (HTTP/3). */
export interface StreamPiece {
  place: number;
  from: number;
  to: number;
  /** Over HTTP/3: whether the stream ends with these bytes. */
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
    const end = at + bytes;
    while (first < packets.length && packets[first]!.to <= at) first++;
    for (let i = first; i < packets.length && packets[i]!.from < end; i++) {
      const { place, from, to } = packets[i]!;
      own.pieces.push({ place, from: Math.max(from, at), to: Math.min(to, end) });
    }
  }
  return byStream;
}

export const http3Responses = (down: TracedQuicFlow["down"], opened: OpenedColumns): Map<number, ResponseStream> =>
  new Map(
    [...requestStreams(down, opened)].map(([stream, pieces]) => [
      stream,
      { bytes: pieces.reduce((most, { to }) => Math.max(most, to), 0), pieces },
    ]),
  );

/**
 * Matches requests with streams by size, because a browser reports the size of each response, with headers, but not its stream. Streams of
 * the same size are matched in the order of their IDs. @param requests in the order in which they were sent
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

/** The responses of each connection of a trace by stream, TCP's connections first; null if a connection was not decrypted. */
export const responsesIn = ({ flows, quicFlows }: Trace): (Map<number, ResponseStream> | null)[] => [
  ...flows.map((flow) => http2Responses(flow, rowsOf(flow.down))),
  ...quicFlows.map(({ down, opened }) => (opened ? http3Responses(down, opened.down) : null)),
];

/** Finds the streams of all requests of a load. @returns for each connection, its requests and their streams */
export function matchRequests(
  connections: readonly ConnectionEvidence[],
  responses: readonly (ReadonlyMap<number, ResponseStream> | null)[],
): Map<RequestEvidence, number>[] {
  const requests = connections
    .flatMap((connection) => connection.requests)
    .toSorted((a, b) => (a.sentMs ?? a.startMs) - (b.sentMs ?? b.startMs));
  const left = new Set(requests);
  return responses.map((own) => {
    const found = own ? streamsOf([...left], own) : new Map<RequestEvidence, number>();
    for (const request of found.keys()) left.delete(request);
    return found;
  });
}
