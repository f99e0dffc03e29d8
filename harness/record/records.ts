/** A run's lines as records: read one at a time, checked. */
import { existsSync, statSync } from "node:fs";
import type { z } from "zod";
import { usageError } from "../../schema/errors.ts";
import {
  type Calibration,
  calibrationSchema,
  chunkOf,
  type Lane,
  type LoadRecord,
  laneSchema,
  loadSchema,
} from "../../schema/records.ts";
import type { Trace } from "../../schema/trace.ts";
import { captureFolders } from "./captures.ts";
import { contentHash, Digest } from "./digest.ts";
import { type Line, readLines } from "./journal.ts";
import type { Manifest } from "./manifest.ts";
import { planIsUnchanged } from "./plan-hash.ts";
import { mostManifestBytes, parsedJson, readBytes } from "./run-files.ts";
import { openRun } from "./run-folder.ts";
import { readTrace, traceFileHash } from "./traces.ts";

/** A line of loads.jsonl: a record, or the reason why the line is invalid. */
export type LoadLine = { line: Line } & (
  | { load: LoadRecord /** Its content's (digest.ts). */; hash: string }
  | { torn: true }
  | { problem: string }
);

/** A run, as it is in its folder. */
export interface SavedRun {
  folder: string;
  manifest: Manifest;
  lanes: Lane[];
  calibrations: Calibration[];
  /** Messages about invalid lines of lanes.jsonl and calibration.jsonl. */
  problems: string[];
  /** The lines of its loads, from an offset in the file on. */
  lines(offset?: number): Generator<Line, void>;
  read(line: Line): LoadLine;
  /** The same lines, all of them read. */
  loads(offset?: number): Generator<LoadLine, void>;
  /** Reads the trace that a load's line names. @throws Error if it is missing, or another one */
  traceOf(hash: string): Trace;
  /** SHA-256 of that trace's file; null if there is none. */
  traceFileHash(hash: string): string | null;
  /** Whether run.json is as it was when the run began; null where nothing shows it. */
  planIsUnchanged(): boolean | null;
  /** Captures (captures.ts), which its lines do not mention. */
  captures(): number;
  /** The digest of the manifest, calibrations and lanes; the reader of the loads adds them. */
  digest(): Digest;
}

/** @param name of its folder; the latest run, if not given @throws LabError (usage) as `openRun` does */
export function readRun(name?: string): SavedRun {
  const { folder, manifest } = openRun(name);
  return readSavedRun(folder, manifest);
}

/** Reads a run's folder. Each call of `loads` reads the loads again. */
export function readSavedRun(folder: string, manifest: Manifest): SavedRun {
  const loadsPath = `${folder}/loads.jsonl`;
  // A run under way grows: loads that come from now on may be of lanes that are not in the lines read below.
  const end = existsSync(loadsPath) ? statSync(loadsPath).size : Number.POSITIVE_INFINITY;
  const [laneLines, calibrationLines] = ["lanes", "calibration"].map((name) => jsonOf(`${folder}/${name}.jsonl`));
  const problems: string[] = [];
  const all = <T>(file: string, lines: typeof laneLines, schema: z.ZodType<T>) =>
    lines!.flatMap(({ json }, i) => {
      const parsed = schema.safeParse(json);
      if (parsed.success) return [parsed.data];
      problems.push(`${file}, record ${i + 1}: ${wordsOf(parsed.error)}`);
      return [];
    });
  return {
    folder,
    manifest,
    lanes: all("lanes.jsonl", laneLines, laneSchema),
    calibrations: all("calibration.jsonl", calibrationLines, calibrationSchema),
    problems,
    traceOf: (hash) => readTrace(folder, hash),
    traceFileHash: (hash) => traceFileHash(folder, hash),
    planIsUnchanged: () => planIsUnchanged(folder),
    captures: () => captureFolders(folder).length,
    *lines(offset = 0) {
      for (const line of readLines(loadsPath, offset)) {
        if (line.offset >= end) return;
        yield line;
      }
    },
    read: readLoad,
    *loads(offset) {
      let invalid = 0;
      for (const line of this.lines(offset)) {
        const read = readLoad(line);
        if (!("load" in read) && ++invalid > mostInvalid) throw tooManyInvalid(loadsPath);
        yield read;
      }
    },
    digest() {
      const digest = new Digest(
        contentHash(parsedJson(readBytes(`${folder}/run.json`, mostManifestBytes).toString()) as object),
      );
      for (const { json } of calibrationLines!)
        digest.add(chunkOf({ calibration: String(json.calibration) }), contentHash(json));
      for (const { json } of laneLines!) digest.add(chunkOf({ lane: Number(json.lane) }), contentHash(json));
      return digest;
    },
  };
}

/** More lines that are not records are no run. */
const mostInvalid = 100_000;
const tooManyInvalid = (path: string) => usageError(`${path} has more than ${mostInvalid} lines that are not records`);

/** The whole records of a folder's loads.jsonl, as this version writes them: for looking at a run under way, whatever axes it has. */
export const loadsIn = (folder: string): LoadRecord[] =>
  [...readLines(`${folder}/loads.jsonl`)].flatMap((line) => {
    const read = readLoad(line);
    return "load" in read ? [read.load] : [];
  });

function readLoad(line: Line): LoadLine {
  const json = parseJson(line.bytes);
  if (json === undefined) return { line, torn: true };
  // Other readers may understand such a line differently, for instance if a key appears twice.
  if (asWritten(json) !== line.bytes.toString()) return { line, problem: "it is not written as the lab writes" };
  const parsed = loadSchema.safeParse(json);
  if (!parsed.success) return { line, problem: wordsOf(parsed.error) };
  return { line, load: parsed.data, hash: contentHash(json as object) };
}

/** A JSON text of a value; null for one that is nested too deeply for that. */
function asWritten(json: unknown): string | null {
  try {
    return JSON.stringify(json);
  } catch {
    return null;
  }
}

/** Lanes and calibrations of a run of millions of loads. */
const mostShortLines = 500_000;

/** The lines of a short file that are JSON objects. One that is nested too deeply is an object that no schema accepts. */
function jsonOf(path: string): { json: Record<string, unknown> }[] {
  const found: { json: Record<string, unknown> }[] = [];
  for (const { bytes } of readLines(path)) {
    const json = parseJson(bytes);
    if (typeof json !== "object" || json === null) continue;
    found.push({ json: asWritten(json) === null ? { nested: "too deeply" } : (json as Record<string, unknown>) });
    if (found.length > mostShortLines) throw usageError(`${path} has more than ${mostShortLines} lines`);
  }
  return found;
}

/** undefined if the text is not JSON, such as a line that a crash cut off. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return undefined;
  }
}

const wordsOf = (error: z.ZodError) =>
  error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
