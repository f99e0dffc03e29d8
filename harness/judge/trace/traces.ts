/** Checks whether a trace belongs to its load, by comparing its packets with the load's evidence. */
import type { Evidence, FlowEvidence } from "../../../schema/evidence.ts";
import { waitedMsIn } from "../../../schema/host-rtts.ts";
import type { Direction } from "../../../schema/link.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { GoodLoad } from "../../../schema/records.ts";
import type { Registries } from "../../../schema/registries.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import type { Trace, TracedPacket } from "../../../schema/trace.ts";
import type { Manifest } from "../../record/manifest.ts";
import { keepsTrace } from "../../record/traces.ts";
import { documentRequests } from "../load/document.ts";
import { stateProblems } from "./trace-states.ts";
import { traceStreamProblems } from "./trace-streams.ts";
import { traceTimeProblems } from "./trace-times.ts";
import { windowProblems } from "./trace-windows.ts";
import { type TracedRows, tracedRows } from "./traced-rows.ts";

/** How far the difference of two times may be off. Times in traces and captures are whole microseconds, so each may be off by 1 µs. */
const roundedMs = 0.002;

/** @param read returns the trace with the given hash; throws if the trace is missing or damaged */
export function traceProblems(
  load: GoodLoad,
  { settings: { link } }: Condition,
  { traces = "none", registries }: Pick<Manifest, "traces" | "registries">,
  read: (hash: string) => Trace,
): string[] {
  const isKept = keepsTrace(traces, load);
  if (isKept !== (load.trace !== undefined))
    return [
      isKept
        ? "its trace is missing, but the run keeps traces"
        : "it has a trace, but the run keeps none for this load",
    ];
  if (!load.trace) return [];
  try {
    const trace = read(load.trace);
    const problems = disagreements(trace, load.evidence, registries);
    const found = problems.length
      ? problems
      : [...traceTimeProblems(trace, load.evidence, link, registries), ...traceStreamProblems(trace, load.evidence)];
    return found.map((problem) => `its trace: ${problem}`);
  } catch (error) {
    return [(error as Error).message];
  }
}

function disagreements(trace: Trace, evidence: Evidence, { hosts }: Pick<Registries, "hosts">): string[] {
  const keyOf = (host: string, port: number) => `${host} port ${port}`;
  const hostAt = (server: string) => hosts.find(({ address }) => server.startsWith(`${address}:`));
  const nameOf = (server: string) => hostAt(server)?.name ?? server;
  const all = tracedRows(trace);
  const flows = new Map(all.map((flow) => [keyOf(nameOf(flow.server), flow.clientPort), flow]));
  const seen = evidence.packets.flows.map((flow) => [keyOf(flow.host, flow.clientPort), flow] as const);
  const same = flows.size === seen.length && seen.every(([key]) => flows.has(key));
  if (!same) return ["its connections differ from the evidence"];
  // In some lines, a connection whose SYN was in an earlier load has client and server exchanged. Such connections are left out.
  const ofHosts = all.filter(({ server }) => nameOf(server) !== server);
  return [
    ...seen.flatMap(([key, flow]) => flowProblems(flow, flows.get(key)!).map((problem) => `${key}: ${problem}`)),
    ...linkProblems(ofHosts, evidence, "up", () => 0),
    ...linkProblems(ofHosts, evidence, "down", ({ server }) => waitedMsIn(evidence, hostAt(server))),
    ...beginningProblems(trace, evidence),
  ];
}

function flowProblems(
  { server, handshakeMs, answerMs, upRetransmittedSegments }: FlowEvidence,
  flow: TracedRows,
): string[] {
  const { down, up } = flow;
  const data = down.filter(({ bytes }) => bytes > 0);
  const repeated = (rows: readonly TracedPacket[]) => rows.filter((row) => row.repeated).length;
  const counts: [string, number, number][] = [
    ["segments retransmitted by the client", repeated(up), upRetransmittedSegments],
    ["segments of the server", data.length, server?.sentSegments ?? 0],
    ["of these retransmitted", repeated(data), server?.retransmittedSegments ?? 0],
  ];
  const answersUs = down.flatMap(({ syn, arrivedUs }) => (syn && arrivedUs !== null ? [arrivedUs] : []));
  const opened = (Math.min(...answersUs) - (up[0]?.sentUs ?? Number.NaN)) / 1000;
  const openedMs = handshakeMs ?? answerMs;
  return [
    ...(server ? [...windowProblems(server, flow), ...stateProblems(server, flow)] : []),
    ...counts.flatMap(([what, here, there]) => (here === there ? [] : [`${here} ${what}, ${there} by the evidence`])),
    ...(openedMs !== undefined && !(Math.abs(opened - openedMs) <= roundedMs)
      ? [`its handshake took ${opened} ms, ${openedMs} by the evidence`]
      : []),
  ];
}

/** Checks packets' delays and losses against the evidence. @param waitedMs how long a flow's packets waited in their host before the link */
function linkProblems(
  flows: readonly TracedRows[],
  { link, packets: { path }, timing }: Evidence,
  direction: Direction,
  waitedMs: (flow: TracedRows) => number,
): string[] {
  const transit = path[direction].transit;
  if (!transit) return [];
  const rows = flows.flatMap((flow) => {
    const waitedUs = 1000 * waitedMs(flow);
    return flow[direction].map((row) => ({ ...row, sentUs: row.sentUs + waitedUs }));
  });
  const arrived = rows.filter(({ arrivedUs }) => arrivedUs !== null).toSorted((a, b) => a.sentUs - b.sentUs);
  // The evidence begins some milliseconds after the link's counters were reset. By then, a quick link has already carried a handshake.
  const earlier = Math.max(0, arrived.length - transit.packets);
  // Resets are left out, as in the evidence, because two resets can be identical, so that their arrivals may be mixed up.
  const tookMs = arrived
    .slice(earlier)
    .flatMap(({ sentUs, arrivedUs, reset }) => (reset ? [] : [(arrivedUs! - sentUs) / 1000]));
  // Packets that were sent after this time may still have been in flight when the captures were read.
  const surelyUs = 1000 * ((timing.loadEventStart ?? 0) - transit.mostMs);
  const missing = rows.filter(({ arrivedUs, sentUs }) => arrivedUs === null && sentUs < surelyUs).length;
  const { lostPackets, queueDroppedPackets, damagedPackets = 0 } = link[direction];
  const gone = lostPackets + queueDroppedPackets + damagedPackets;
  return [
    ...tookMs
      .filter((ms) => ms < transit.least.ms - roundedMs || ms > transit.mostMs + roundedMs)
      .slice(0, 1)
      .map(
        (ms) =>
          `a packet took ${ms} ms ${direction}, all took ${transit.least.ms} to ${transit.mostMs} by the evidence`,
      ),
    ...(missing > gone ? [`${missing} packets did not arrive ${direction}, the link lost ${gone}`] : []),
  ];
}

/** Checks that the trace and Navigation Timing agree on when the document's request was sent. Two processes of the browser record this time. */
function beginningProblems({ firstRequestUs }: Trace, { connections, timing }: Evidence): string[] {
  const sentMs = documentRequests(connections.flatMap(({ requests }) => requests)).at(-1)?.sentMs;
  if (sentMs === undefined || timing.requestStart === undefined) return [];
  const atMs = firstRequestUs / 1000 + sentMs;
  return Math.abs(atMs - timing.requestStart) <= tolerance.browserMs
    ? []
    : [`the document's request was sent at ${atMs} ms, but at ${timing.requestStart} by Navigation Timing`];
}
