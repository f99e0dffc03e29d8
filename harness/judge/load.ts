/** One load's evidence against the condition that it should have been made under. */
import { bodyBytesOf } from "../../axes/expected.ts";
import { axes } from "../../axes/registry.ts";
import type { Evidence, ProcessorEvidence } from "../../schema/evidence.ts";
import { sendingMs } from "../../schema/link.ts";
import type { Condition } from "../../schema/plan.ts";
import { type GoodLoad, type Lane, loadFields } from "../../schema/records.ts";
import type { Registries } from "../../schema/registries.ts";
import { tolerance } from "../../schema/tolerances.ts";
import { disagreements } from "./agreement.ts";
import { connectionsGone, packetsGone } from "./conservation.ts";
import { handshakeRoundTrips } from "./round-trips.ts";

export interface Judgement {
  /** What contradicts the condition; empty for a load that is a sample of it. */
  contradictions: string[];
  /** Axis -> why this load's evidence cannot tell: hidden by the link's chance. */
  inconclusive: Record<string, string>;
  /** Axis -> why no such record could tell. */
  notObservable: Record<string, string>;
  /** What does not make a load wrong, but what it is a sample of. */
  flags: string[];
}

/** @param pageLoadMs as the load's line has it @param wallMs the same, where there is a line yet */
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
    const verdict = axis.proves(condition.values[axis.name]!, condition.values, evidence, registries);
    if (verdict === "confirmed") continue;
    if ("contradicts" in verdict) judgement.contradictions.push(...verdict.contradicts);
    else if ("inconclusive" in verdict) judgement.inconclusive[axis.name] = verdict.inconclusive;
    else judgement.notObservable[axis.name] = verdict.notObservable;
  }
  judgement.contradictions.push(
    ...timeProblems(pageLoadMs, evidence, condition, registries),
    ...gaps(evidence),
    ...packetsGone(evidence.packets),
    ...connectionsGone(evidence),
    ...labProblems(evidence),
    ...processorProblems(evidence.processor),
    ...disagreements(pageLoadMs, evidence, condition, registries, wallMs),
  );
  return judgement;
}

/** A line that counts: its row, its evidence, and what its lane says it ran on. */
export function judgeLine(load: GoodLoad, condition: Condition, registries: Registries, lane?: Lane): Judgement {
  const judgement = judgeLoad(load.pageLoadMs, load.evidence, condition, registries, load.wallMs);
  return {
    ...judgement,
    contradictions: [...rowProblems(load, condition), ...laneProblems(load, lane), ...judgement.contradictions],
  };
}

/** The machine and the client are the lane's. */
function laneProblems({ client, evidence: { userAgent, processor } }: GoodLoad, lane: Lane | undefined): string[] {
  if (!lane) return [];
  const version = /\/(\d+)\./.exec(lane.versions[String(client)] ?? "")?.[1];
  return [
    ...(processor.cores === lane.machine.cores
      ? []
      : [`its processor has ${processor.cores} cores, its lane's ${lane.machine.cores}`]),
    ...(version === undefined || userAgent.includes(`/${version}.`)
      ? []
      : [`the client calls itself ${userAgent}, its lane's is of version ${version}`]),
  ];
}

/** What a load's row says of its condition, against the manifest. */
function rowProblems(load: GoodLoad, { fields }: Condition): string[] {
  const row: Record<string, unknown> = load;
  const wrong = Object.entries(fields).filter(([field, value]) => row[field] !== value);
  const unknown = Object.keys(row).filter((field) => !Object.hasOwn(fields, field) && !loadFields.has(field));
  return [
    ...wrong.map(([field, value]) => `its row says ${field} ${row[field]}, the manifest ${value}`),
    ...unknown.map((field) => `its row has a field ${field}, which is no axis's`),
  ];
}

/** Bytes over the rate, and round trips of the handshakes and the request: no network is faster. */
function timeProblems(
  pageLoadMs: number,
  evidence: Evidence,
  { values, settings: { link, page } }: Condition,
  registries: Registries,
): string[] {
  const { timing } = evidence;
  const roundTrips = handshakeRoundTrips(evidence, registries.protocols[page.protocol]!) + 1;
  const floorMs = roundTrips * link.rttMs + sendingMs(link, "down", bodyBytesOf(values, registries));
  return [
    ...(pageLoadMs === timing.loadEventStart
      ? []
      : [`its page load time is ${pageLoadMs} ms, the browser's timing says ${timing.loadEventStart}`]),
    ...(pageLoadMs >= floorMs ? [] : [`${pageLoadMs} ms is less than physics allows: ${Math.round(floorMs)} ms`]),
  ];
}

/** What is null only for a load that broke must be there in every other, or a forger would leave out what tells. */
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

/** TCP remembers nothing, and the whole lab is there from the load's beginning to its end. */
function labProblems({ metricsSaved, ended }: Evidence): string[] {
  return [
    ...(metricsSaved.length
      ? [`TCP remembers earlier connections (tcp_no_metrics_save is not 1) on ${metricsSaved.join(", ")}`]
      : []),
    ...ended.map((command) => `a part of the lab ended during the load: ${command}`),
  ];
}

function processorProblems({ elapsedMs, otherMs, stealMs }: ProcessorEvidence): string[] {
  const problems: string[] = [];
  const hold = (what: string, ms: number, allowed: number) => {
    const cores = ms / elapsedMs;
    if (cores > allowed) problems.push(`${what} took ${cores.toFixed(2)} cores from the load; ${allowed} allowed`);
  };
  hold("other programs", otherMs, tolerance.otherCores);
  hold("other machines (steal)", stealMs, tolerance.stealCores);
  return problems;
}

function flagsOf({ labMs, otherMs, stealMs, elapsedMs, cores }: ProcessorEvidence): string[] {
  const share = (labMs + otherMs + stealMs) / (elapsedMs * cores);
  return share > tolerance.busyShare ? [`CPU-bound: ${Math.round(share * 100)}% of ${cores} cores in use`] : [];
}
