/** Whether a trace is its load's: what it says of each packet, against what the load's line says of all of them. */
import type { Evidence, FlowEvidence } from "../../schema/evidence.ts";
import { type Direction, directions } from "../../schema/link.ts";
import type { GoodLoad } from "../../schema/records.ts";
import type { Registries } from "../../schema/registries.ts";
import { tolerance } from "../../schema/tolerances.ts";
import { rowsOf, type Trace, type TracedFlow, type TracedPacket } from "../../schema/trace.ts";
import type { Manifest } from "../record/manifest.ts";
import { keepsTrace } from "../record/traces.ts";

/** A trace has whole microseconds, and so have captures: two that are added up may be off by one each. */
const roundedMs = 0.002;

/** @param read what the run keeps under a hash; it throws what is wrong with that */
export function traceProblems(
  load: GoodLoad,
  { traces = "none", registries }: Pick<Manifest, "traces" | "registries">,
  read: (hash: string) => Trace,
): string[] {
  const isKept = keepsTrace(traces, load);
  if (isKept !== (load.trace !== undefined))
    return [
      isKept ? "its trace, which the run was to keep, is missing" : "it has a trace, which the run was not to keep",
    ];
  if (!load.trace) return [];
  try {
    return disagreements(read(load.trace), load.evidence, registries).map((problem) => `its trace: ${problem}`);
  } catch (error) {
    return [(error as Error).message];
  }
}

function disagreements(trace: Trace, evidence: Evidence, { hosts }: Pick<Registries, "hosts">): string[] {
  const keyOf = (host: string, port: number) => `${host} port ${port}`;
  const nameOf = (server: string) => hosts.find(({ address }) => server.startsWith(`${address}:`))?.name ?? server;
  const flows = new Map(trace.flows.map((flow) => [keyOf(nameOf(flow.server), flow.clientPort), flow]));
  const seen = evidence.packets.flows.map((flow) => [keyOf(flow.host, flow.clientPort), flow] as const);
  const same = flows.size === seen.length && seen.every(([key]) => flows.has(key));
  if (!same) return ["its connections are not the evidence's"];
  // What began with an answer to an earlier load's SYN was once taken for a connection of the client's host: its ends are exchanged.
  const ofHosts = { ...trace, flows: trace.flows.filter(({ server }) => nameOf(server) !== server) };
  return [
    ...seen.flatMap(([key, flow]) => flowProblems(flow, flows.get(key)!).map((problem) => `${key}: ${problem}`)),
    ...directions.flatMap((direction) => linkProblems(ofHosts, evidence, direction)),
    ...beginningProblems(trace, evidence),
  ];
}

function flowProblems({ server, handshakeMs, upRetransmittedSegments }: FlowEvidence, flow: TracedFlow): string[] {
  const [down, up] = [rowsOf(flow.down), rowsOf(flow.up)];
  const data = down.filter(({ bytes }) => bytes > 0);
  const repeated = (rows: TracedPacket[]) => rows.filter((row) => row.repeated).length;
  const counts: [string, number, number][] = [
    ["segments sent again by the client", repeated(up), upRetransmittedSegments],
    ["segments of the server", data.length, server?.sentSegments ?? 0],
    ["of them sent again", repeated(data), server?.retransmittedSegments ?? 0],
  ];
  const answeredUs = down.find(({ syn, arrivedUs }) => syn && arrivedUs !== null)?.arrivedUs ?? Number.NaN;
  const opened = (answeredUs - (up[0]?.sentUs ?? Number.NaN)) / 1000;
  return [
    ...counts.flatMap(([what, here, there]) => (here === there ? [] : [`${here} ${what}, ${there} by the evidence`])),
    ...(handshakeMs !== null && !(Math.abs(opened - handshakeMs) <= roundedMs)
      ? [`its handshake took ${opened} ms, ${handshakeMs} by the evidence`]
      : []),
  ];
}

/** No packet was quicker or slower than the evidence says, and no more are missing than the link lost. */
function linkProblems(trace: Trace, { link, packets: { path }, timing }: Evidence, direction: Direction): string[] {
  const transit = path[direction].transit;
  if (!transit) return [];
  const rows = trace.flows.flatMap((flow) => rowsOf(flow[direction]));
  // Of two resets, which are alike, one's arrival may be taken for the other's: the evidence leaves out what has its like.
  const tookMs = rows.flatMap(({ sentUs, arrivedUs, reset }) =>
    arrivedUs === null || reset ? [] : [(arrivedUs - sentUs) / 1000],
  );
  // Later ones may have been under way when the captures were read.
  const surelyUs = 1000 * ((timing.loadEventStart ?? 0) - transit.mostMs);
  const missing = rows.filter(({ arrivedUs, sentUs }) => arrivedUs === null && sentUs < surelyUs).length;
  const { lostPackets, queueDroppedPackets } = link[direction];
  return [
    ...tookMs
      .filter((ms) => ms < transit.least.ms - roundedMs || ms > transit.mostMs + roundedMs)
      .slice(0, 1)
      .map(
        (ms) =>
          `a packet took ${ms} ms ${direction}, all took ${transit.least.ms} to ${transit.mostMs} by the evidence`,
      ),
    ...(missing > lostPackets + queueDroppedPackets
      ? [`${missing} packets did not arrive ${direction}, the link lost ${lostPackets + queueDroppedPackets}`]
      : []),
  ];
}

/** Its clock is the browser's: the first request left when Navigation Timing, which another of its processes keeps, says so. */
function beginningProblems({ firstRequestUs }: Trace, { connections, timing }: Evidence): string[] {
  const sentMs = connections.flatMap(({ requests }) => requests).find(({ startMs }) => startMs === 0)?.sentMs;
  if (sentMs === undefined || timing.requestStart === undefined) return [];
  const atMs = firstRequestUs / 1000 + sentMs;
  return Math.abs(atMs - timing.requestStart) <= tolerance.browserMs
    ? []
    : [`the first request was sent at ${atMs} ms, at ${timing.requestStart} by Navigation Timing`];
}
