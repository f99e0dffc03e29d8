/**
 * Priorities as a number: bytes of lower urgency that servers sent while a response of higher urgency waited (RFC 9218). Bytes that a server had
 * handed to its kernel before it received the more urgent request count, too: for the page they are in the way all the same.
 */
import type { ConnectionEvidence, RequestEvidence } from "../schema/evidence.ts";
import type { PacketEvidence } from "../schema/packet-evidence.ts";
import { frameRows, pieceRows } from "../schema/stream-trace.ts";
import { rowsOf, type Trace, type TracedFlow, type TracedQuicFlow } from "../schema/trace.ts";
import { http2Responses, http3Responses, type ResponseStream, streamsOf } from "./request-streams.ts";
import { requestStreams } from "./stream-arrivals.ts";

/** RFC 9218, section 4.1: from 0, the most urgent, to 7. */
const defaultUrgency = 3;

/** @param priority the request's `priority` header */
export const urgencyOf = ({ priority }: Pick<RequestEvidence, "priority">): number =>
  Number(/(?:^|[,\s])u=([0-7])/.exec(priority ?? "")?.[1] ?? defaultUrgency);

/** What a server knew and did about one stream. Times are in microseconds since navigation start. */
interface Served {
  urgency: number;
  /** When its request had arrived at the server. */
  askedUs: number;
  /** New bytes of its response, in the order in which they were sent. */
  sent: { us: number; bytes: number }[];
}

/** Adds the bytes that were sent too early to each connection whose streams are known. @param connections with the requests' priorities */
export function withPriorities(
  packets: PacketEvidence,
  trace: Trace,
  connections: readonly ConnectionEvidence[],
): PacketEvidence {
  const requests = connections
    .flatMap((connection) => connection.requests)
    .toSorted((a, b) => (a.sentMs ?? a.startMs) - (b.sentMs ?? b.startMs));
  if (requests.every(({ priority }) => priority === undefined)) return packets;
  const left = new Set(requests);
  const add = <Flow extends PacketEvidence["flows"][number] | NonNullable<PacketEvidence["quicFlows"]>[number]>(
    flow: Flow,
    served: Served[],
  ): Flow => (flow.streams ? { ...flow, streams: { ...flow.streams, earlyBytes: earlyBytes(served) } } : flow);
  return {
    ...packets,
    flows: packets.flows.map((flow, i) => add(flow, http2Served(trace.flows[i]!, left))),
    quicFlows: (packets.quicFlows ?? []).map((flow, i) => add(flow, http3Served(trace.quicFlows[i]!, left))),
  };
}

/** @param left the requests whose connection is not known yet */
function servedOf(
  responses: ReadonlyMap<number, ResponseStream>,
  left: Set<RequestEvidence>,
  ofStream: (stream: number) => Omit<Served, "urgency"> | null,
): Served[] {
  return [...streamsOf([...left], responses)].flatMap(([request, stream]) => {
    left.delete(request);
    const served = ofStream(stream);
    return served ? [{ urgency: urgencyOf(request), ...served }] : [];
  });
}

function http2Served(flow: TracedFlow, left: Set<RequestEvidence>): Served[] {
  const [down, up] = [rowsOf(flow.down), rowsOf(flow.up)];
  const responses = http2Responses(flow, down);
  if (!responses || !flow.frames) return [];
  const asked = new Map<number, number>();
  for (const { stream, at } of frameRows(flow.frames.up)) asked.set(stream, asked.get(stream) ?? at);
  return servedOf(responses, left, (stream) => {
    const at = asked.get(stream);
    const packet = up.find(({ offset, bytes }) => at !== undefined && offset <= at && at < offset + bytes);
    const pieces = responses.get(stream)?.pieces ?? [];
    if (packet?.arrivedUs == null) return null;
    const sent = pieces.map(({ place, from, to }) => ({ us: down[place]!.sentUs, bytes: to - from }));
    return { askedUs: packet.arrivedUs, sent };
  });
}

function http3Served({ down, up, opened }: TracedQuicFlow, left: Set<RequestEvidence>): Served[] {
  if (!opened) return [];
  const asked = requestStreams(up, opened.up);
  const sentUs = sentTimesUs(down);
  const byStream = new Map<number, Served["sent"]>();
  const ends = new Map<number, number>();
  for (const { datagram, stream, offset, bytes } of pieceRows(opened.down.pieces)) {
    const end = ends.get(stream) ?? 0;
    if (offset + bytes <= end) continue; // a retransmission
    ends.set(stream, offset + bytes);
    byStream.set(stream, [...(byStream.get(stream) ?? []), { us: sentUs[datagram]!, bytes: offset + bytes - end }]);
  }
  return servedOf(http3Responses(down, opened.down), left, (stream) => {
    const arrived = (asked.get(stream) ?? []).flatMap(({ arrivedUs }) => arrivedUs ?? []);
    return arrived.length ? { askedUs: Math.min(...arrived), sent: byStream.get(stream) ?? [] } : null;
  });
}

function sentTimesUs({ sentUs }: TracedQuicFlow["down"]): number[] {
  let us = 0;
  return sentUs.map((sinceUs) => (us += sinceUs));
}

/** Bytes that were sent while a more urgent response had been requested, and was not yet sent completely. */
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
