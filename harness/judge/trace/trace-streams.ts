/** Checks a trace's streams against the evidence and the client's requests, and that no datagram was acknowledged before it arrived. */
import { isDeepStrictEqual } from "node:util";
import { http2Bytes, http3Bytes, type StreamBytes } from "../../../observe/stream-arrivals.ts";
import { streamsIn } from "../../../observe/streams-evidence.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import type { StreamsEvidence } from "../../../schema/packet-evidence.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import { datagramTimes, type OpenedColumns, type Trace, type TracedQuicFlow } from "../../../schema/trace.ts";
import { requestsOf, sum } from "../load/requests.ts";

/** How far a time that the browser reports may be off: the browser rounds both the time and the start from which it counts. */
const byBrowserUs = 2000 * tolerance.earlyMs;

export function traceStreamProblems(trace: Trace, evidence: Evidence): string[] {
  const { flows, quicFlows = [] } = evidence.packets;
  const told = [...flows, ...quicFlows].map(({ streams = null }) => streams);
  const traced = streamsIn(trace, evidence.connections).map((streams, i) => knownThen(streams, told[i] ?? null));
  const problems = [
    ...(isDeepStrictEqual(told, traced) ? [] : ["its streams differ from the evidence"]),
    ...trace.quicFlows.flatMap(quicProblems),
  ];
  return problems.length ? problems : responseProblems(trace, evidence);
}

/** Leaves out `contestedBytes` if the recorded evidence lacks it, as in lines from before 2026-11-28. */
function knownThen(streams: StreamsEvidence | null, told: StreamsEvidence | null): StreamsEvidence | null {
  if (!streams || !told || told.contestedBytes !== undefined) return streams;
  const { contestedBytes: _, ...known } = streams;
  return known;
}

function quicProblems({ server, clientPort, down, up, opened }: TracedQuicFlow): string[] {
  if (!opened) return [];
  const name = `connection ${clientPort} to ${server}`;
  const problem =
    acknowledgmentProblem(down, opened.down, up) ??
    acknowledgmentProblem(up, opened.up, down) ??
    sizeProblem(down, opened.down) ??
    sizeProblem(up, opened.up);
  return problem ? [`${name}: ${problem}`] : [];
}

type Datagrams = TracedQuicFlow["down"];

function acknowledgmentProblem(own: Datagrams, { acknowledged }: OpenedColumns, other: Datagrams): string | null {
  const others = datagramTimes(other);
  for (const [i, { sentUs }] of datagramTimes(own).entries()) {
    const place = acknowledged[i] ?? null;
    if (place !== null && (others[place]?.arrivedUs ?? Number.POSITIVE_INFINITY) > sentUs)
      return `datagram ${i} acknowledges datagram ${place}, which had not arrived`;
  }
  return null;
}

function sizeProblem({ frameBytes }: Datagrams, { bytes, acknowledged, pieces }: OpenedColumns): string | null {
  if (bytes.length !== frameBytes.length || acknowledged.length !== frameBytes.length)
    return "it has datagrams without content, or content without a datagram";
  const carried = frameBytes.map(() => 0);
  let datagram = 0;
  for (const [i, since] of pieces.datagram.entries()) {
    datagram += since;
    carried[datagram] = (carried[datagram] ?? Number.POSITIVE_INFINITY) + (pieces.bytes[i] ?? 0);
  }
  const at = carried.findIndex((sum, i) => Math.max(sum, bytes[i]!) > frameBytes[i]!);
  return at < 0 && carried.length === frameBytes.length ? null : `datagram ${at} has more bytes than its frame`;
}

/** For each response that the client reports, a stream must have the same size, and its last byte must be readable by the response's end. */
function responseProblems(trace: Trace, evidence: Evidence): string[] {
  const all = [...trace.flows.map(http2Bytes), ...trace.quicFlows.map(http3Bytes)].flatMap((bytes) =>
    bytes ? [...responsesOf(bytes)] : [],
  );
  // If the totals differ, which streams.ts allows for some clients, single responses may differ, too.
  if (sum(all.map(({ bytes }) => bytes)) !== evidence.receivedBytes) return [];
  const requests = requestsOf(evidence)
    .flatMap(({ path, bytes, endMs }) =>
      endMs === null ? [] : [{ path, bytes, endUs: trace.firstRequestUs + 1000 * endMs }],
    )
    .toSorted((a, b) => a.endUs - b.endUs);
  for (const { path, bytes, endUs } of requests) {
    const ofSize = all.filter((one) => one.bytes === bytes).toSorted((a, b) => a.readableUs - b.readableUs);
    const [first] = ofSize;
    if (!first) return [`no stream has the ${bytes} bytes of ${path}`];
    if (first.readableUs > endUs + byBrowserUs)
      return [
        `${path} had ended after ${endUs / 1000} ms, but its stream's last byte could be read only after ${first.readableUs / 1000} ms`,
      ];
    all.splice(all.indexOf(first), 1);
  }
  return [];
}

interface Response {
  bytes: number;
  /** When its last byte could be read. */
  readableUs: number;
}

function responsesOf(all: readonly StreamBytes[]): Iterable<Response> {
  const byStream = new Map<number, Response>();
  for (const { stream, bytes, readableUs } of all) {
    const known = byStream.get(stream) ?? { bytes: 0, readableUs: 0 };
    byStream.set(stream, { bytes: known.bytes + bytes, readableUs: Math.max(known.readableUs, readableUs) });
  }
  return byStream.values();
}
