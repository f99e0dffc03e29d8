/** Finds each browser connection's flow in the trace by the times of requests, because the browser does not report local ports. */

import {
  http2Responses,
  http3Responses,
  type ResponseStream,
  type StreamPiece,
} from "../../observe/request-streams.ts";
import { requestStreams } from "../../observe/stream-arrivals.ts";
import type { ConnectionEvidence, RequestEvidence } from "../../schema/evidence.ts";
import { rowsOf, type Trace, type TracedPacket } from "../../schema/trace.ts";
import { quicRows } from "./quic-rows.ts";

interface Flow {
  server: string;
  down: TracedPacket[];
  up: TracedPacket[];
  /** The responses by stream, over HTTP/2 and HTTP/3; null if they are not known. */
  responses: ReadonlyMap<number, ResponseStream> | null;
  /** Over QUIC, the requests by stream, because streams are delivered independently; null over TCP. */
  questions: ReadonlyMap<number, StreamPiece[]> | null;
  /** Over QUIC, the packets by which the server allowed the client to open more streams, and how many streams were then allowed in all. */
  limits: readonly { place: number; streams: number }[];
}

/** A connection with its packets, and its requests in the order in which they were sent. */
export interface TracedConnection extends Flow {
  evidence: ConnectionEvidence;
  requests: RequestEvidence[];
}

/** A connection's requests must be, on average, at most this far in time from the nearest packets of its flow. */
const patienceUs = 50_000;

export function tracedConnections(connections: readonly ConnectionEvidence[], trace: Trace): TracedConnection[] {
  const free = new Set([...tcpFlows(trace), ...quicFlows(trace)]);
  return connections.flatMap((evidence) => {
    const requests = evidence.requests
      .filter(({ sentMs }) => sentMs !== undefined)
      .toSorted((a, b) => a.sentMs! - b.sentMs!);
    const sentUs = requests.map(({ sentMs }) => trace.firstRequestUs + 1000 * sentMs!);
    const candidates = [...free].filter(({ server }) => server === evidence.address);
    const misses = candidates.map(({ up }) => missUs(up, sentUs));
    const least = Math.min(...misses);
    const best = candidates[misses.indexOf(least)];
    if (!best || sentUs.length === 0 || least > patienceUs) return [];
    free.delete(best);
    return [{ ...best, evidence, requests }];
  });
}

const tcpFlows = ({ flows }: Trace): Flow[] =>
  flows.map((flow) => {
    const [down, up] = [rowsOf(flow.down), rowsOf(flow.up)];
    return { server: flow.server, down, up, responses: http2Responses(flow, down), questions: null, limits: [] };
  });

/** Leaves out connections that were not decrypted, because encrypted packets do not show what they waited for. */
const quicFlows = ({ quicFlows }: Trace): Flow[] =>
  quicFlows.flatMap(({ opened, ...flow }) => {
    if (!opened) return [];
    const responses = http3Responses(flow.down, opened.down);
    const questions = requestStreams(flow.up, opened.up);
    const { datagram = [], streams = [] } = opened.down.limits ?? {};
    const limits = datagram.map((place, i) => ({ place, streams: streams[i]! }));
    return [{ server: flow.server, ...quicRows(flow, opened), responses, questions, limits }];
  });

/** Computes the mean time between a request and the nearest packet in which the client sent new data. */
function missUs(up: readonly TracedPacket[], momentsUs: readonly number[]): number {
  const sent = up.filter(({ bytes, repeated }) => bytes > 0 && !repeated).map(({ sentUs }) => sentUs);
  const misses = momentsUs.map((atUs) => Math.min(...sent.map((sentUs) => Math.abs(sentUs - atUs))));
  return misses.reduce((sum, us) => sum + us, 0) / misses.length;
}
