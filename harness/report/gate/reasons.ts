/** Where the difference between two pages over one link comes from, in what their author can change: files, requests and parts of the time. */
import { importedFile } from "../../../pages/paths.ts";
import { type Part, partNames } from "../../explain/parts.ts";
import { median } from "../../statistics/quantile.ts";
import type { GateSide } from "./sides.ts";

/** A file that only one of the pages requests, or that has another size. null: the page does not request it. */
export interface ChangedFile {
  path: string;
  beforeBytes: number | null;
  afterBytes: number | null;
}

/** A file that both pages request, but one later than the other. */
export interface MovedFile {
  path: string;
  laterMs: number;
}

export interface ChangedPart {
  part: Part;
  addedMs: number;
}

export interface Reasons {
  /** Of the link. */
  rttMs: number;
  files: ChangedFile[];
  /** Requested later by a round trip or more, what is requested first at the front. */
  later: MovedFile[];
  /** Parts of the time; the greatest change first. Empty if packets do not show them. */
  parts: ChangedPart[];
}

export function reasonsOf(before: GateSide, after: GateSide): Reasons {
  const { rttMs } = after.condition.settings.link;
  return {
    rttMs,
    files: changedFiles(before, after),
    later: laterFiles(before, after, rttMs),
    parts: changedParts(before, after),
  };
}

/** A text's URLs have the page's name, which the lab makes of its content: compressed, that alone changes its size by some bytes. */
const leastCompressedBytes = 16;

function changedFiles(before: GateSide, after: GateSide): ChangedFile[] {
  const [from, to] = [before, after].map(
    ({ learnt }) => new Map(learnt.map(({ path, bytes }) => [importedFile(path), bytes])),
  );
  const compressed = new Set(after.learnt.flatMap(({ path, encoding }) => (encoding ? [importedFile(path)] : [])));
  // A request that was cancelled, as a font's may be when a page is learnt, shows no size.
  const cancelled = new Set(
    [before, after]
      .flatMap(({ learnt }) => learnt.filter(({ failed }) => failed))
      .map(({ path }) => importedFile(path)),
  );
  return [...new Set([...to!.keys(), ...from!.keys()])].flatMap((path) => {
    if (cancelled.has(path)) return [];
    const [beforeBytes = null, afterBytes = null] = [from!.get(path), to!.get(path)];
    const changed = Math.abs((afterBytes ?? Infinity) - (beforeBytes ?? Infinity));
    const isSame = beforeBytes === afterBytes || (compressed.has(path) && changed < leastCompressedBytes);
    return isSame ? [] : [{ path, beforeBytes, afterBytes }];
  });
}

/** A request that moved by almost a round trip waits for something else now. */
const nearly = 0.9;

function laterFiles(before: GateSide, after: GateSide, rttMs: number): MovedFile[] {
  const [from, to] = [before, after].map(startsOf);
  return [...to!]
    .sort(([, a], [, b]) => a - b)
    .flatMap(([path, startMs]) => {
      const laterMs = startMs - (from!.get(path) ?? Number.NaN);
      return laterMs >= nearly * rttMs ? [{ path, laterMs }] : [];
    });
}

/** When each file is requested: medians over the loads. */
function startsOf({ loads }: GateSide): Map<string, number> {
  const all = new Map<string, number[]>();
  for (const { load } of loads)
    for (const { path, startMs } of load.evidence.connections.flatMap(({ requests }) => requests))
      all.set(importedFile(path), [...(all.get(importedFile(path)) ?? []), startMs]);
  return new Map([...all].map(([path, starts]) => [path, median(starts)]));
}

function changedParts(before: GateSide, after: GateSide): ChangedPart[] {
  const [from, to] = [before.parts, after.parts];
  if (!from || !to) return [];
  return partNames
    .map((part) => ({ part, addedMs: to[part] - from[part] }))
    .sort((a, b) => Math.abs(b.addedMs) - Math.abs(a.addedMs));
}
