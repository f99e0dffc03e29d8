/** A saved run in memory, to be altered as a sceptic would, and written again with a chain that is whole. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { type Verification, verify } from "../../harness/judge/verify.ts";
import { Chain, chunkOf } from "../../harness/record/chain.ts";
import { readSavedRun } from "../../harness/record/records.ts";
import { openRun } from "../../harness/record/run-folder.ts";
import type { Evidence } from "../../schema/evidence.ts";
import type { Calibration, GoodLoad, Lane } from "../../schema/records.ts";
import type { Trace } from "../../schema/trace.ts";

/** Its files, whose every part may be changed; all of its loads count. */
export interface RunFiles {
  manifest: Record<string, unknown>;
  calibrations: Calibration[];
  lanes: Lane[];
  loads: GoodLoad[];
  /** The folder of the traces, which stay as they are. */
  traces: string;
}

const linesOf = (path: string): unknown[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);

/** @param folder of a run whose every load counts */
export const readFiles = (folder: string): RunFiles => ({
  manifest: JSON.parse(readFileSync(`${folder}/run.json`, "utf8")) as Record<string, unknown>,
  calibrations: linesOf(`${folder}/calibration.jsonl`) as Calibration[],
  lanes: linesOf(`${folder}/lanes.jsonl`) as Lane[],
  loads: linesOf(`${folder}/loads.jsonl`) as GoodLoad[],
  traces: resolve(folder, "traces"),
});

/** No forgery alters a trace, and reading them all takes longer than all else. */
const tracesRead = new Map<string, Trace>();
function readOnce(path: string, read: () => Trace): Trace {
  const trace = tracesRead.get(path) ?? read();
  tracesRead.set(path, trace);
  return trace;
}

/** What `./lab verify` finds in these files. @param rechain every line's hash follows from the one before it again */
export function verifyFiles(
  { manifest, calibrations, lanes, loads, traces }: RunFiles,
  rechain: boolean,
): Verification {
  const folder = mkdtempSync(`${tmpdir()}/forged-`);
  try {
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    const chain = new Chain(text);
    const linked = <T extends { previous?: string | undefined }>(records: T[], chunk: (record: T) => number) =>
      records
        .map((record) => {
          const previous = rechain ? chain.before(chunk(record)) : record.previous;
          const line = JSON.stringify({ ...record, previous });
          chain.add(chunk(record), line);
          return `${line}\n`;
        })
        .join("");
    writeFileSync(`${folder}/run.json`, text);
    writeFileSync(
      `${folder}/calibration.jsonl`,
      linked(calibrations, ({ calibration }) => chunkOf(calibration)),
    );
    writeFileSync(
      `${folder}/lanes.jsonl`,
      linked(lanes, ({ lane }) => lane),
    );
    writeFileSync(
      `${folder}/loads.jsonl`,
      linked(loads, ({ lane }) => lane),
    );
    if (existsSync(traces)) symlinkSync(traces, `${folder}/traces`);
    const run = readSavedRun(folder, openRun(folder).manifest);
    return verify({ ...run, traceOf: (hash) => readOnce(`${traces}/${hash}`, () => run.traceOf(hash)) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The first load that does as asked, cloned in place: what is changed of it leaves the files that were read as they are. */
export function take(files: RunFiles, is: (load: GoodLoad) => boolean): GoodLoad {
  const at = files.loads.findIndex(is);
  if (at < 0) throw new Error("the run has no such load");
  const load = structuredClone(files.loads[at]!);
  files.loads[at] = load;
  return load;
}

/** Packets that the link lost or dropped. */
export const goneOf = ({ link: { down, up } }: Evidence): number =>
  down.lostPackets + down.queueDroppedPackets + up.lostPackets + up.queueDroppedPackets;

/** Its link lost and dropped nothing, which hides nothing. */
export const isCalm = (load: GoodLoad): boolean => goneOf(load.evidence) === 0;
