/** Judges one load: whether its evidence confirms or contradicts its condition. */
import { judgeAxis } from "../../../axes/axis.ts";
import { bodyBytesOf } from "../../../axes/expected.ts";
import { axes } from "../../../axes/registry.ts";
import type { Evidence, ProcessorEvidence } from "../../../schema/evidence.ts";
import { expect } from "../../../schema/expect.ts";
import { sendingMs } from "../../../schema/link.ts";
import type { Condition } from "../../../schema/plan.ts";
import { type GoodLoad, type Lane, loadFields } from "../../../schema/records.ts";
import { entryOf, type Registries } from "../../../schema/registries.ts";
import { tolerance } from "../../../schema/tolerances.ts";
import { disagreements } from "./agreement.ts";
import { connectionsGone, packetsGone } from "./conservation.ts";
import { handshakeRoundTrips } from "./round-trips.ts";

export interface Judgement {
  /** What contradicts the condition; empty for a valid load. */
  contradictions: string[];
  /** Axis -> why random loss hid the axis in this load. */
  inconclusive: Record<string, string>;
  /** Axis -> why no record of a load in this condition could show the axis. */
  notObservable: Record<string, string>;
  /** What limits the meaning of a valid load, such as a busy processor. */
  flags: string[];
}

/** @param pageLoadMs the page load time in the load's line @param wallMs the line's wall time; undefined before the line is written */
export function judgeLoad(
  pageLoadMs: number,
  evidence: Evidence,
  condition: Condition,
  registries: Registries,
  wallMs?: number,
): Judgement {
  const flags = flagsOf(evidence.processor);
  const judgement: Judgement = { contradictions: [], inconclusive: {}, notObservable: {}, flags };
  for (const axis of axes) {
    const verdict = judgeAxis(axis, condition.values, evidence, registries);
    if (verdict === "confirmed") continue;
    if ("contradicts" in verdict) judgement.contradictions.push(...verdict.contradicts);
    else if ("inconclusive" in verdict) judgement.inconclusive[axis.name] = verdict.inconclusive;
    else judgement.notObservable[axis.name] = verdict.notObservable;
  }
  judgement.contradictions.push(
    ...timeProblems(pageLoadMs, evidence, condition, registries),
    ...gaps(evidence),
    ...packetsGone(evidence.packets, evidence.link),
    ...connectionsGone(evidence),
    ...labProblems(evidence),
    ...processorProblems(evidence.processor),
    ...disagreements(pageLoadMs, evidence, condition, registries, wallMs),
  );
  return judgement;
}

/** Judges everything that the record of a successful load says: its axis values, its lane and its evidence. */
export function judgeLine(load: GoodLoad, condition: Condition, registries: Registries, lane?: Lane): Judgement {
  const judgement = judgeLoad(load.pageLoadMs, load.evidence, condition, registries, load.wallMs);
  return { ...judgement, contradictions: [...lineProblems(load, condition, lane), ...judgement.contradictions] };
}

/** A load's line without the fields that only failed loads have. */
type Line = Record<string, unknown> & Pick<GoodLoad, "evidence">;

/** Checks that a line's flat fields are those of its condition, and that its evidence fits its lane. */
export const lineProblems = (load: Line, condition: Condition, lane: Lane | undefined): string[] => [
  ...rowProblems(load, condition),
  ...cpuAndVersionProblems(load, lane),
];

function cpuAndVersionProblems({ client, evidence: { userAgent, processor } }: Line, lane: Lane | undefined): string[] {
  if (!lane) return [];
  const version = /\/(\d+)\./.exec(lane.versions[String(client)] ?? "")?.[1];
  return [
    ...expect(
      processor.cores === lane.machine.cores,
      `its processor has ${processor.cores} cores, its lane's ${lane.machine.cores}`,
    ),
    ...expect(
      version === undefined || userAgent.includes(`/${version}.`),
      `the client's user-agent is ${userAgent}, but its lane has version ${version}`,
    ),
  ];
}

function rowProblems(load: Line, { fields }: Condition): string[] {
  const row: Record<string, unknown> = load;
  const wrong = Object.entries(fields).filter(([field, value]) => row[field] !== value);
  const unknown = Object.keys(row).filter((field) => !Object.hasOwn(fields, field) && !loadFields.has(field));
  return [
    ...wrong.map(([field, value]) => `its line has ${field} ${row[field]}, the manifest ${value}`),
    ...unknown.map((field) => `its line has a field ${field}, which belongs to no axis`),
  ];
}

/** Checks that the load takes at least the time for its bytes at the link's rate, plus the round trips for its handshakes and a request. */
function timeProblems(
  pageLoadMs: number,
  evidence: Evidence,
  { values, settings: { link, page } }: Condition,
  registries: Registries,
): string[] {
  const { timing } = evidence;
  const roundTrips = handshakeRoundTrips(evidence, entryOf(registries.protocols, "protocols", page.protocol)) + 1;
  const floorMs = roundTrips * link.rttMs + sendingMs(link, "down", bodyBytesOf(values, registries));
  return [
    ...expect(
      pageLoadMs === timing.loadEventStart,
      `its page load time is ${pageLoadMs} ms, but the client's timing has ${timing.loadEventStart}`,
    ),
    ...expect(
      pageLoadMs >= floorMs,
      `${pageLoadMs} ms is less than the link allows: at least ${Math.round(floorMs)} ms`,
    ),
  ];
}

/** Reports values that are null. They may be null only in failed loads; otherwise a forgery could skip checks by leaving values out. */
function gaps({ packets }: Evidence): string[] {
  const { path, synToRequestMs, requestToLastDataMs, requestToLastAckMs } = packets;
  const known = {
    "packets.path.down.transit": path.down.transit,
    "packets.path.up.transit": path.up.transit,
    ...{ synToRequestMs, requestToLastDataMs, requestToLastAckMs },
  };
  const missing = Object.entries(known).flatMap(([name, value]) => (value === null ? [name] : []));
  return missing.length ? [`its evidence lacks ${missing.join(", ")}`] : [];
}

/** Reports hosts whose TCP keeps metrics of earlier connections, and parts of the lab that ended during the load. */
export function labProblems({ metricsSaved, ended }: Evidence): string[] {
  return [
    ...expect(
      metricsSaved.length === 0,
      `TCP remembers earlier connections (tcp_no_metrics_save is not 1) on ${metricsSaved.join(", ")}`,
    ),
    ...ended.map((command) => `a part of the lab ended during the load: ${command}`),
  ];
}

export function processorProblems({ elapsedMs, otherMs, stealMs, pauses }: ProcessorEvidence): string[] {
  const problems: string[] = [];
  const hold = (what: string, ms: number, allowed: number) => {
    const cores = ms / elapsedMs;
    if (cores > allowed) problems.push(`${what} took ${cores.toFixed(2)} cores from the load; ${allowed} allowed`);
  };
  hold("other programs", otherMs, tolerance.otherCores);
  hold("other machines (steal)", stealMs, tolerance.stealCores);
  hold("pauses of the whole machine", pauses?.totalMs ?? 0, tolerance.stealCores);
  return problems;
}

function flagsOf({ labMs, otherMs, stealMs, elapsedMs, cores }: ProcessorEvidence): string[] {
  const share = (labMs + otherMs + stealMs) / (elapsedMs * cores);
  return share > tolerance.busyShare ? [`CPU-bound: ${Math.round(share * 100)}% of ${cores} cores in use`] : [];
}
