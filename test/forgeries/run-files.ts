/** Reads a saved run into memory, so that a forgery can alter it, and verifies the altered files. */
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { LineJudge, type LoadRow } from "../../harness/judge/load/load-row.ts";
import { type Judge, readToEnd, recordedLoads } from "../../harness/judge/run/judged-loads.ts";
import type { RunVerdict } from "../../harness/judge/run/run-verdict.ts";
import { planHashFile, planHashOf } from "../../harness/record/plan-hash.ts";
import { readSavedRun, type SavedRun } from "../../harness/record/records.ts";
import { openRun } from "../../harness/record/run-folder.ts";
import { type Evidence, schemaVersion } from "../../schema/evidence.ts";
import type { Calibration, GoodLoad, Lane } from "../../schema/records.ts";
import { sha256 } from "../../schema/sha256.ts";
import type { Trace } from "../../schema/trace.ts";

/** The files of a run whose loads all count. A forgery may alter everything except the traces. */
export interface RunFiles {
  manifest: Record<string, unknown>;
  calibrations: Calibration[];
  lanes: Lane[];
  loads: GoodLoad[];
  /** The manifest's hash at the start of the run. */
  planHash: string;
  /** The folder of the traces, which are never altered. */
  traces: string;
}

/** @param folder the folder of a run whose loads all count; forgeries treat this run as one of the current version */
export function readFiles(folder: string): RunFiles {
  const { manifest } = openRun(folder);
  const run = readSavedRun(folder, manifest);
  const present = { ...manifest, schemaVersion };
  return {
    manifest: present,
    planHash: planHashOf(JSON.stringify(present)),
    calibrations: run.calibrations,
    lanes: run.lanes,
    loads: [...run.loads()].flatMap((line) => ("load" in line && line.load.ok ? [line.load] : [])),
    traces: resolve(folder, "traces"),
  };
}

/** Caches traces, because no forgery alters them, and reading all of them takes longer than everything else. */
const tracesRead = new Map<string, Trace>();
function readOnce(path: string, read: () => Trace): Trace {
  const trace = tracesRead.get(path) ?? read();
  tracesRead.set(path, trace);
  return trace;
}

/** Caches judgements, because they depend only on the load's line, its lane and the plan. */
const judgedBefore = new Map<string, LoadRow>();
function judgeOf(run: SavedRun): Judge {
  const judge = new LineJudge(run);
  const hashOf = (json: object) => sha256(JSON.stringify(json));
  const plan = hashOf(run.manifest);
  const lanes = new Map(run.lanes.map((lane) => [lane.lane, hashOf(lane)]));
  return {
    judge(load, line, hash) {
      const key = `${hashOf(load)} ${lanes.get(load.lane)} ${plan}`;
      const row = judgedBefore.get(key) ?? judge.judge(load, line, hash);
      judgedBefore.set(key, row);
      return { ...row, line };
    },
  };
}

/** Verifies these files as `./lab verify` does. */
export function verifyFiles({ manifest, planHash, calibrations, lanes, loads, traces }: RunFiles): RunVerdict {
  const folder = mkdtempSync(`${tmpdir()}/forged-`);
  try {
    const linesOfAll = (records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
    writeFileSync(`${folder}/run.json`, JSON.stringify(manifest));
    writeFileSync(`${folder}/${planHashFile}`, planHash);
    writeFileSync(`${folder}/calibration.jsonl`, linesOfAll(calibrations));
    writeFileSync(`${folder}/lanes.jsonl`, linesOfAll(lanes));
    writeFileSync(`${folder}/loads.jsonl`, linesOfAll(loads));
    const { manifest: opened } = openRun(folder);
    // A run may not contain symbolic links, but this symbolic link is created after the check. It avoids a copy of the traces for each forgery.
    if (existsSync(traces)) symlinkSync(traces, `${folder}/traces`);
    const run = readSavedRun(folder, opened);
    const traceOf = (hash: string) => readOnce(`${traces}/${hash}`, () => run.traceOf(hash));
    return readToEnd(recordedLoads(run, { fresh: true, judge: judgeOf({ ...run, traceOf }) }), () => {});
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Replaces the first load that `is` accepts by a copy and returns the copy, so that other forgeries get the unaltered load. */
export function take(files: RunFiles, is: (load: GoodLoad) => boolean): GoodLoad {
  const at = files.loads.findIndex(is);
  if (at < 0) throw new Error("the run has no such load");
  const load = structuredClone(files.loads[at]!);
  files.loads[at] = load;
  return load;
}

/** Counts the packets that the link lost or dropped. */
export const goneOf = ({ link: { down, up } }: Evidence): number =>
  down.lostPackets + down.queueDroppedPackets + up.lostPackets + up.queueDroppedPackets;

/** Whether the link neither lost nor dropped a packet, so that no evidence is hidden. */
export const isCalm = (load: GoodLoad): boolean => goneOf(load.evidence) === 0;
