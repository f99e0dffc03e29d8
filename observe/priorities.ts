/**
 * Measures how far servers ignore priorities (RFC 9218): the bytes of less urgent responses that were sent while a more urgent response
 * waited. This includes bytes that a server gave to its kernel before it received the more urgent request: they delay the page equally.
 */
import type { ConnectionEvidence, RequestEvidence } from "../schema/evidence.ts";
import type { StreamsEvidence } from "../schema/packet-evidence.ts";
import { frameRows } from "../schema/stream-trace.ts";
import { datagramTimes, rowsOf, type Trace, type TracedFlow, type TracedQuicFlow } from "../schema/trace.ts";
import { matchRequests, type ResponseStream, responsesIn, type StreamPiece } from "./request-streams.ts";
import { requestStreams } from "./stream-arrivals.ts";

/** The urgency of requests that do not set it. Urgencies go from 0, the most urgent, to 7 (RFC 9218, section 4.1). */
const defaultUrgency = 3;

/** @param priority the request's `priority` header @returns the default if the header has no urgency from 0 to 7: servers ignore others */
export const urgencyOf = ({ priority }: Pick<RequestEvidence, "priority">): number =>
  Number(/(?:^|[,\s])u=([0-7])(?![\d.])/.exec(priority ?? "")?.[1] ?? defaultUrgency);

/** Whether parts of the response are useful before the rest (RFC 9218, section 4.2). */
export const isIncremental = ({ priority }: Pick<RequestEvidence, "priority">): boolean =>
  /(?:^|[,\s])i(?:=\?1)?\s*(?:$|[,;])/.test(priority ?? "");

/** A request as its server received it, and the response as it was sent. Times are in microseconds since navigation start. */
interface Served {
  urgency: number;
  /** When its request had arrived at the server. */
  askedUs: number;
  /** New bytes of its response, in the order in which they were sent. */
  sent: { us: number; bytes: number }[];
}

/** When requests arrived at the server, by stream, and when the server sent each of its packets. */
interface Timing {
  askedUs: ReadonlyMap<number, number>;
  sentUs: readonly number[];
}

/** How a server dealt with the priorities of the requests on one connection. */
type Ordered = Pick<StreamsEvidence, "earlyBytes" | "contestedBytes">;

/**
 * Measures how each connection's server followed priorities. The results are in the order of the trace, TCP's connections first. A result is
 * null if the connection was not decrypted; all results are null if no request of the load had a priority.
 */
export function orderIn(trace: Trace, connections: readonly ConnectionEvidence[]): (Ordered | null)[] {
  const responses = responsesIn(trace);
  const hasPriorities = connections.some(({ requests }) => requests.some(({ priority }) => priority !== undefined));
  if (!hasPriorities) return responses.map(() => null);
  const timings = [...trace.flows.map(http2Timing), ...trace.quicFlows.map(http3Timing)];
  const reportsConnections = connections.every(({ id }) => id !== null);
  const matched = reportsConnections
    ? matchRequests(connections, responses)
    : responses.map((own) => matchBySize(connections, own ?? new Map()));
  return matched.map((streams, i) => {
    const [own, timing] = [responses[i], timings[i]];
    if (!own || !timing || (own.size > 0 && streams.size === 0)) return null;
    const served = servedOf(streams, own, timing);
    return { earlyBytes: earlyBytes(served), contestedBytes: contestedBytes(served) };
  });
}

/**
 * Matches requests with streams if the browser reports no connections. Such a browser counts headers before compression, which adds nearly
 * the same number of bytes to responses of nearly the same size, so requests and streams are matched in the order of their sizes. Responses
 * whose sizes differ by a few bytes may be confused, but mostly have the same urgency.
 * @returns an empty map unless this connection has as many streams as the load has requests
 */
function matchBySize(
  connections: readonly ConnectionEvidence[],
  responses: ReadonlyMap<number, ResponseStream>,
): Map<RequestEvidence, number> {
  const requests = connections.flatMap((connection) => connection.requests).toSorted((a, b) => a.bytes - b.bytes);
  const streams = [...responses].toSorted(([, a], [, b]) => a.bytes - b.bytes);
  if (requests.length !== streams.length) return new Map();
  return new Map(requests.map((request, i) => [request, streams[i]![0]]));
}

function http2Timing({ down, up, frames }: TracedFlow): Timing | null {
  if (!frames) return null;
  const packets = rowsOf(up);
  const askedUs = new Map<number, number>();
  for (const { stream, at } of frameRows(frames.up)) {
    const brought = packets.filter(({ offset, bytes }) => offset <= at && at < offset + bytes);
    const us = Math.min(...brought.flatMap(({ arrivedUs }) => arrivedUs ?? []));
    if (Number.isFinite(us) && !askedUs.has(stream)) askedUs.set(stream, us);
  }
  return { askedUs, sentUs: rowsOf(down).map(({ sentUs }) => sentUs) };
}

function http3Timing({ down, up, opened }: TracedQuicFlow): Timing | null {
  if (!opened) return null;
  const askedUs = new Map<number, number>();
  for (const [stream, pieces] of requestStreams(up, opened.up)) {
    const us = Math.min(...pieces.flatMap(({ arrivedUs }) => arrivedUs ?? []));
    if (Number.isFinite(us)) askedUs.set(stream, us);
  }
  return { askedUs, sentUs: datagramTimes(down).map(({ sentUs }) => sentUs) };
}

const servedOf = (
  streams: ReadonlyMap<RequestEvidence, number>,
  responses: ReadonlyMap<number, ResponseStream>,
  { askedUs, sentUs }: Timing,
): Served[] =>
  [...streams].flatMap(([request, stream]) => {
    const asked = askedUs.get(stream);
    const sent = newBytes(responses.get(stream)?.pieces ?? [], sentUs);
    return asked === undefined ? [] : [{ urgency: urgencyOf(request), askedUs: asked, sent }];
  });

/** Leaves out retransmitted bytes. @param pieces a response's pieces, in the order in which they were sent */
function newBytes(pieces: readonly StreamPiece[], sentUs: readonly number[]): Served["sent"] {
  let end = 0;
  return pieces.flatMap(({ place, from, to }) => {
    const bytes = to - Math.max(from, end);
    end = Math.max(end, to);
    return bytes > 0 ? [{ us: sentUs[place]!, bytes }] : [];
  });
}

/** Counts bytes that were sent while a more urgent response was requested but not yet completely sent. */
function earlyBytes(served: readonly Served[]): number {
  const waiting = served.map(({ urgency, askedUs, sent }) => ({
    urgency,
    askedUs,
    doneUs: sent.at(-1)?.us ?? askedUs,
  }));
  return served.reduce((sum, { urgency, sent }) => {
    const urgent = waiting.filter((one) => one.urgency < urgency);
    const isEarly = ({ us }: { us: number }) => urgent.some(({ askedUs, doneUs }) => askedUs < us && us < doneUs);
    return sum + sent.filter(isEarly).reduce((bytes, one) => bytes + one.bytes, 0);
  }, 0);
}

const sentAfter = ({ sent }: Served, afterUs: number): number =>
  sent.reduce((sum, { us, bytes }) => sum + (us > afterUs ? bytes : 0), 0);

/**
 * Estimates the fewest bytes that a server which ignores urgency sends early, if a more urgent request follows a less urgent one. A server that
 * alternates sends equally much of both responses. A server that keeps the order of requests completes the less urgent response first.
 */
function contestedBytes(served: readonly Served[]): number {
  const besides = (one: Served) =>
    served.filter(({ urgency, askedUs }) => urgency < one.urgency && askedUs > one.askedUs);
  return served.reduce(
    (sum, one) =>
      sum +
      Math.max(
        0,
        ...besides(one).map((urgent) => Math.min(sentAfter(one, urgent.askedUs), sentAfter(urgent, urgent.askedUs))),
      ),
    0,
  );
}
