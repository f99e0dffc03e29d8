/** Reads a run's lines as records, one at a time, and checks them. */
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
  | { load: LoadRecord /** The hash of the line's content (digest.ts). */; hash: string }
  | { torn: true }
  | { problem: string }
);

export interface SavedRun {
  folder: string;
  manifest: Manifest;
  lanes: Lane[];
  calibrations: Calibration[];
  /** Messages about invalid lines of lanes.jsonl and calibration.jsonl. */
  problems: string[];
  /** Yields the lines of loads.jsonl, starting at an offset in the file. */
  lines(offset?: number): Generator<Line, void>;
  read(line: Line): LoadLine;
  loads(offset?: number): Generator<LoadLine, void>;
  /** Reads the trace that a load's line names. @throws Error if it is missing, or has another hash */
  traceOf(hash: string): Trace;
  /** Returns the SHA-256 of a trace's packed file; null if there is no file. */
  traceFileHash(hash: string): string | null;
  /** Whether run.json is unchanged since the run began; null if the run has no hash of it. */
  planIsUnchanged(): boolean | null;
  /** Counts the run's captures (captures.ts), which are not in its lines. */
  captures(): number;
  /** Returns the digest of the manifest, calibrations and lanes. The caller adds the loads while it reads them. */
  digest(): Digest;
}

/** @param name the name of the run's folder; by default the latest run is read @throws LabError (usage) as `openRun` does */
export function readRun(name?: string): SavedRun {
  const { folder, manifest } = openRun(name);
  return readSavedRun(folder, manifest);
}

/** Reads a run's folder. Each call of `loads` reads the file again. */
export function readSavedRun(folder: string, manifest: Manifest): SavedRun {
  const loadsPath = `${folder}/loads.jsonl`;
  // A run in progress grows. Loads after this offset are not read, because their lanes may be missing in the lines that are read below.
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

const mostInvalid = 100_000;
const tooManyInvalid = (path: string) => usageError(`${path} has more than ${mostInvalid} lines that are not records`);

/** Reads the valid lines of a folder's loads.jsonl, and leaves out all other lines. The run may still be in progress. */
export const loadsIn = (folder: string): LoadRecord[] =>
  [...readLines(`${folder}/loads.jsonl`)].flatMap((line) => {
    const read = readLoad(line);
    return "load" in read ? [read.load] : [];
  });

function readLoad(line: Line): LoadLine {
  const json = parseJson(line.bytes);
  if (json === undefined) return { line, torn: true };
  // Other programs may read a line in another format differently, for instance if a key appears twice.
  if (asWritten(json) !== line.bytes.toString())
    return { line, problem: "its JSON is not formatted as the lab writes it" };
  const parsed = loadSchema.safeParse(json);
  if (!parsed.success) return { line, problem: wordsOf(parsed.error) };
  return { line, load: parsed.data, hash: contentHash(json as object) };
}

/** Returns the JSON text of a value; null if the value is nested too deeply. */
function asWritten(json: unknown): string | null {
  try {
    return JSON.stringify(json);
  } catch {
    return null;
  }
}

/** Enough lines for the lanes and calibrations of a run of millions of loads. */
const mostShortLines = 500_000;

/** Reads the lines of a short file that are JSON objects. If an object is nested too deeply, an object that no schema accepts replaces it. */
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

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return undefined;
  }
}

const wordsOf = (error: z.ZodError) =>
  error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
