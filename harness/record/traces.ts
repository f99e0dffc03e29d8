import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { gzipSync } from "node:zlib";
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { LoadMessage } from "../../schema/lane-messages.ts";
import type { TracesKept } from "../../schema/records.ts";
import { sha256 } from "../../schema/sha256.ts";
import { type Trace, traceSchema } from "../../schema/trace.ts";
import { parsedJson, readBytes, unpack } from "./run-files.ts";

/** A trace's file is named by the hash of its content. The load's line contains that hash. */
const pathOf = (folder: string, hash: string) => `${folder}/traces/${hash.slice(0, 16)}.json.gz`;

/** The limit for a trace. The trace of a load with a million packets is smaller. */
const mostTraceBytes = 256e6;

/** Whether a run that keeps the traces `kept` keeps this load's trace. `first` means the loads of block 1, even if they are not made first. */
export const keepsTrace = (kept: TracesKept, { ok, block }: { ok: boolean; block: number }): boolean =>
  ok && (kept === "all" || (kept === "first" && block === 1));

export const hashOf = (trace: Trace): string => sha256(JSON.stringify(trace));

/** Writes a load's trace, if it has one; a crash never leaves an incomplete file. @returns the load's line, with the trace's hash */
export function withTrace(folder: string, { load, trace }: Pick<LoadMessage, "load" | "trace">): LoadMessage["load"] {
  if (!load.ok || !trace) return load;
  const hash = hashOf(trace);
  const path = pathOf(folder, hash);
  mkdirSync(`${folder}/traces`, { recursive: true });
  writeFileSync(`${path}.part`, gzipSync(JSON.stringify(trace)), { flush: true });
  renameSync(`${path}.part`, path);
  return { ...load, trace: hash };
}

/** Reads the trace that a line names. @throws LabError if it is missing, damaged, or has another hash */
export function readTrace(folder: string, hash: string): Trace {
  const path = pathOf(folder, hash);
  const wrong = (how: string) => new LabError(ExitCode.failed, how);
  const name = relative(folder, path); // the same for each copy of the run, because copies share the cache of judged loads
  if (!existsSync(path)) throw wrong(`its trace ${name} does not exist`);
  try {
    const json = unpack(path, mostTraceBytes).toString();
    if (sha256(json) !== hash) throw new Error(`${name} is not the trace that its line names`);
    return traceSchema.parse(parsedJson(json));
  } catch (error) {
    throw wrong(`its trace cannot be used: ${(error as Error).message}`);
  }
}

export function traceFileHash(folder: string, hash: string): string | null {
  const path = pathOf(folder, hash);
  return existsSync(path) ? sha256(readBytes(path, mostTraceBytes)) : null;
}
