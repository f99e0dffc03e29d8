/** Explains the difference between two pages over one link by what their author can change: files, requests, paints and parts of the time. */

import type { Evidence, RequestEvidence } from "../../schema/evidence.ts";
import { importedFile } from "../../sites/paths.ts";
import { type Part, partNames } from "../explain/parts.ts";
import { median } from "../statistics/quantile.ts";
import { type BeforePaint, beforePaint, type PaintTime } from "./before-paint.ts";
import type { GateSide } from "./sides.ts";

/** A file that only one of the pages requests, or whose size differs. Its size is null for a page that does not request the file. */
export interface ChangedFile {
  path: string;
  beforeBytes: number | null;
  afterBytes: number | null;
}

/** A file whose request starts at another time than in the earlier page: sooner if `laterMs` is negative. */
export interface MovedFile {
  path: string;
  laterMs: number;
}

/** A file whose number of requests per load differs between the pages. */
export interface RepeatedFile {
  path: string;
  beforeTimes: number;
  afterTimes: number;
}

export interface ChangedPaint {
  measure: PaintMeasure;
  before: BeforePaint | null;
  after: BeforePaint | null;
}

export interface ChangedPart {
  part: Part;
  addedMs: number;
}

export interface Reasons {
  rttMs: number;
  files: ChangedFile[];
  /** Files that are requested later by about a round trip or more, in the order of their requests. */
  later: MovedFile[];
  earlier: MovedFile[];
  repeated: RepeatedFile[];
  /** Files whose request fails in only one of the pages. */
  failing: { before: string[]; after: string[] };
  paints: ChangedPaint[];
  /** Parts of the page load time, the largest change first; empty if packets do not show the parts. */
  parts: ChangedPart[];
}

export function reasonsOf(before: GateSide, after: GateSide): Reasons {
  const { rttMs } = after.condition.settings.link;
  return {
    rttMs,
    files: changedFiles(before, after),
    ...movedFiles(before, after, rttMs),
    repeated: repeatedFiles(before, after),
    failing: { before: failingOnlyIn(before, after), after: failingOnlyIn(after, before) },
    paints: changedPaints(before, after),
    parts: changedParts(before, after),
  };
}

function changedFiles(before: GateSide, after: GateSide): ChangedFile[] {
  const [from, to] = [before, after].map(
    ({ learnt }) => new Map(learnt.map(({ path, bytes }) => [importedFile(path), bytes])),
  );
  // A cancelled request shows no size. Requests for fonts may be cancelled in the load by which the lab learns a page's requests.
  const cancelled = new Set(
    [before, after]
      .flatMap(({ learnt }) => learnt.filter(({ failed }) => failed))
      .map(({ path }) => importedFile(path)),
  );
  return [...new Set([...to!.keys(), ...from!.keys()])].flatMap((path) => {
    if (cancelled.has(path)) return [];
    const [beforeBytes = null, afterBytes = null] = [from!.get(path), to!.get(path)];
    return beforeBytes === afterBytes ? [] : [{ path, beforeBytes, afterBytes }];
  });
}

/** A request is listed if it starts at least this share of an RTT later or earlier: it then probably waits for another event than before. */
const nearly = 0.9;

function movedFiles(before: GateSide, after: GateSide, rttMs: number): Pick<Reasons, "later" | "earlier"> {
  const [from, to] = [before, after].map((side) => overLoads(side, (all) => all[0]!.startMs));
  const moved = [...to!]
    .sort(([, a], [, b]) => a - b)
    .map(([path, startMs]) => ({ path, laterMs: startMs - (from!.get(path) ?? Number.NaN) }));
  return {
    later: moved.filter(({ laterMs }) => laterMs >= nearly * rttMs),
    earlier: moved.filter(({ laterMs }) => laterMs <= -nearly * rttMs),
  };
}

function repeatedFiles(before: GateSide, after: GateSide): RepeatedFile[] {
  const [from, to] = [before, after].map((side) => overLoads(side, (all) => all.length));
  return [...to!].flatMap(([path, afterTimes]) => {
    const beforeTimes = from!.get(path) ?? afterTimes;
    return beforeTimes === afterTimes ? [] : [{ path, beforeTimes, afterTimes }];
  });
}

const leastError = 400;
const failingOnlyIn = (side: GateSide, other: GateSide): string[] => {
  const [own, others] = [side, other].map((one) => overLoads(one, (all) => all[0]!.status));
  return [...own!].flatMap(([path, status]) =>
    status >= leastError && (others!.get(path) ?? 0) < leastError ? [path] : [],
  );
};

/** Returns each file's median of `numberOf` over the loads that request it. @param numberOf gets a load's requests for the file, sorted by start */
function overLoads({ loads }: GateSide, numberOf: (requests: RequestEvidence[]) => number): Map<string, number> {
  const values = new Map<string, number[]>();
  for (const { load } of loads)
    for (const [path, own] of requestsByFile(load.evidence))
      values.set(path, [...(values.get(path) ?? []), numberOf(own)]);
  return new Map([...values].map(([path, all]) => [path, median(all)]));
}

function requestsByFile({ connections }: Evidence): Map<string, RequestEvidence[]> {
  const files = new Map<string, RequestEvidence[]>();
  const requests = connections.flatMap((one) => one.requests).sort((a, b) => a.startMs - b.startMs);
  for (const one of requests) files.set(importedFile(one.path), [...(files.get(importedFile(one.path)) ?? []), one]);
  return files;
}

export type PaintMeasure = "firstContentfulPaint" | "largestContentfulPaint";
const paintOf: Record<PaintMeasure, PaintTime> = {
  firstContentfulPaint: "firstContentfulMs",
  largestContentfulPaint: "largestContentfulMs",
};

const changedPaints = (before: GateSide, after: GateSide): ChangedPaint[] =>
  (Object.keys(paintOf) as PaintMeasure[]).map((measure) => ({
    measure,
    before: beforePaint(before, paintOf[measure]),
    after: beforePaint(after, paintOf[measure]),
  }));

function changedParts(before: GateSide, after: GateSide): ChangedPart[] {
  const [from, to] = [before.parts, after.parts];
  if (!from || !to) return [];
  return partNames
    .map((part) => ({ part, addedMs: to[part] - from[part] }))
    .sort((a, b) => Math.abs(b.addedMs) - Math.abs(a.addedMs));
}
