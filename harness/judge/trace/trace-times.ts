/** Checks whether the times in a load's evidence match its trace's packets. Times that were scaled, or taken from another load, do not. */
import type { Evidence } from "../../../schema/evidence.ts";
import type { Link } from "../../../schema/link.ts";
import type { Registries } from "../../../schema/registries.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import type { Trace, TracedPacket } from "../../../schema/trace.ts";
import { leastBytesOf } from "../load/requests.ts";
import { tracedRows } from "./traced-rows.ts";

/** A time is the sum of four values, each rounded to a microsecond, so its error is at most 2 µs. Floating-point errors add less than 1 µs. */
const roundedUs = 3;
/** How far a time that the browser reports may be off: the browser rounds both the time and the start from which it counts. */
const byBrowserMs = 2 * tolerance.earlyMs;

/** Checks nothing over QUIC, because trace-streams.ts compares the times of QUIC's responses. */
export function traceTimeProblems(
  trace: Trace,
  evidence: Evidence,
  { rttMs }: Pick<Link, "rttMs">,
  { hosts }: Pick<Registries, "hosts">,
): string[] {
  const { synToRequestMs, requestToLastDataMs, requestToLastAckMs } = evidence.packets;
  if (trace.quicFlows.length > 0 || synToRequestMs === null) return [];
  const byHost = hosts.map(({ name, address }) => ({
    host: name,
    flows: tracedRows(trace).filter(({ server }) => server.startsWith(`${address}:`)),
  }));
  const up = byHost.flatMap(({ flows }) => flows.flatMap((flow) => flow.up));
  const arrived = byHost.map(({ host, flows }) => ({ host, data: dataOf(flows.flatMap((flow) => flow.down)) }));
  const data = arrived.flatMap((one) => one.data);
  const requestUs = Math.min(...up.flatMap(({ syn, sentUs }) => (syn ? [sentUs] : []))) + 1000 * synToRequestMs;
  const moments: [what: string, afterMs: number | null, packetsUs: number[]][] = [
    ["first request", 0, up.flatMap(({ bytes, sentUs }) => (bytes > 0 ? [sentUs] : []))],
    ["last data", requestToLastDataMs, data.map(({ atUs }) => atUs)],
    ["last acknowledgment", requestToLastAckMs, up.map(({ sentUs }) => sentUs)],
  ];
  return [
    ...moments.flatMap(([what, afterMs, packetsUs]) =>
      afterMs === null || packetsUs.some((us) => Math.abs(us - requestUs - 1000 * afterMs) <= roundedUs)
        ? []
        : [
            `it has no packet at the time of the ${what}, ${(requestUs / 1000 + afterMs).toFixed(3)} ms by the evidence`,
          ],
    ),
    ...firstByteProblems(data, requestUs + 1000 * rttMs, evidence),
    ...arrived.flatMap((one) => arrivalProblems(one, trace.firstRequestUs, evidence)),
  ];
}

interface Arrived {
  atUs: number;
  bytes: number;
}

const dataOf = (rows: readonly TracedPacket[]): Arrived[] =>
  rows.flatMap(({ bytes, arrivedUs }) => (bytes > 0 && arrivedUs !== null ? [{ atUs: arrivedUs, bytes }] : []));

/** Checks that the browser received no byte of the response before a packet could carry it. */
function firstByteProblems(data: readonly Arrived[], earliestUs: number, { timing }: Evidence): string[] {
  const firstMs = Math.min(...data.flatMap(({ atUs }) => (atUs >= earliestUs ? [atUs / 1000] : [])));
  return (timing.responseStart ?? Infinity) >= firstMs - byBrowserMs
    ? []
    : [
        `the response began after ${timing.responseStart} ms, but the first packet that could answer came after ${firstMs} ms`,
      ];
}

/** Checks for each response that its bytes and those of the host's earlier responses had arrived when the response ended. */
function arrivalProblems(
  { host, data }: { host: string; data: Arrived[] },
  firstRequestUs: number,
  { connections }: Evidence,
): string[] {
  data.sort((a, b) => a.atUs - b.atUs);
  const ended = connections
    .filter((connection) => connection.host === host)
    .flatMap((connection) =>
      connection.requests.map((request) => ({ ...request, bytes: leastBytesOf(request, connection) })),
    )
    .flatMap(({ path, bytes, endMs }) => (endMs === null ? [] : [{ path, bytes, endMs }]))
    .sort((a, b) => a.endMs - b.endMs);
  let [received, needed, next] = [0, 0, 0];
  for (const { path, bytes, endMs } of ended) {
    const endUs = firstRequestUs + 1000 * (endMs + byBrowserMs);
    for (; next < data.length && data[next]!.atUs <= endUs; next++) received += data[next]!.bytes;
    needed += bytes;
    if (received < needed)
      return [`${path} had ended after ${endMs} ms, with ${needed} bytes from ${host}; only ${received} had arrived`];
  }
  return [];
}
