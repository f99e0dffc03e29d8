/**
 * An index of judged loads next to a run, so that each line is judged once. It is used only by the checkout that wrote it, and only if the
 * SHA-256 of everything that it contains and depends on is unchanged: the rows, the run's files, the traces, and the code that judges.
 */
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { z } from "zod";
import { sha256 } from "../../../schema/sha256.ts";
import { hashOfBeginning, readLines, readOpenLines } from "../../record/journal.ts";
import type { SavedRun } from "../../record/records.ts";
import { openFile, parsedJson, readBytes } from "../../record/run-files.ts";
import type { LoadRow } from "../load/load-row.ts";
import { sealOf } from "./index-key.ts";

/** A judged line of loads.jsonl: a load, or why it is not a load. */
export type Row = { load: LoadRow } | { torn: true } | { problem: string };

/** Describes the index. Written after the rows. All strings are SHA-256 hashes. */
const headSchema = z.strictObject({
  judge: z.string(),
  /** `inputs` is the hash of the manifest and of this many lanes, from the first. */
  lanes: z.int(),
  inputs: z.string(),
  /** How many bytes of loads.jsonl are judged; `loads` is their hash. */
  loadsBytes: z.int(),
  loads: z.string(),
  rows: z.string(),
});
/** With the seal of the checkout that wrote it (index-key.ts). */
const sealedSchema = headSchema.extend({ seal: z.string() });
type Head = z.infer<typeof headSchema>;

const mostHeadBytes = 1e6;
const [headFile, rowsFile] = ["judged.json", "judged.jsonl"];

/** A run's index; empty if it is not usable. */
export class RowIndex {
  /** How many bytes of loads.jsonl the rows cover. */
  readonly judgedBytes: number;
  /** Whether the rows cover the whole file. */
  readonly isWhole: boolean;
  /** The open file of its rows. It is opened before it is checked, because another process may replace it. */
  readonly #rows: number | null;

  /** @param judge the version of the code that judges (judge-version.ts) */
  constructor(run: SavedRun, judge: string) {
    this.#rows = openRows(run.folder);
    this.judgedBytes = (this.#rows !== null && usableHead(run, judge, this.#rows)?.loadsBytes) || 0;
    const [next] = readLines(`${run.folder}/loads.jsonl`, this.judgedBytes);
    this.isWhole = this.judgedBytes > 0 && next === undefined;
  }

  *rows(): Generator<Row> {
    if (this.#rows !== null && this.judgedBytes > 0)
      for (const { bytes } of readOpenLines(this.#rows)) yield JSON.parse(bytes.toString()) as Row;
  }

  close(): void {
    if (this.#rows !== null) closeSync(this.#rows);
  }
}

function openRows(folder: string): number | null {
  try {
    return openFile(`${folder}/${rowsFile}`);
  } catch {
    return null; // there is no index
  }
}

function usableHead(run: SavedRun, judge: string, rows: number): Head | null {
  try {
    const { seal, ...head } = sealedSchema.parse(
      parsedJson(readBytes(`${run.folder}/${headFile}`, mostHeadBytes).toString()),
    );
    return seal === sealOf(head) &&
      head.judge === judge &&
      head.inputs === inputsHash(run, head.lanes) &&
      head.loads === hashOfBeginning(`${run.folder}/loads.jsonl`, head.loadsBytes) &&
      rowsAreWhole(run, head, rows)
      ? head
      : null;
  } catch {
    return null; // there is no index, or it is truncated
  }
}

const inputsHash = ({ manifest, lanes }: SavedRun, count: number): string =>
  sha256(JSON.stringify([manifest, lanes.slice(0, count)]));

/** Whether the rows and the traces that they depend on are unchanged. */
function rowsAreWhole(run: SavedRun, { rows }: Head, file: number): boolean {
  const hash = createHash("sha256");
  for (const { bytes } of readOpenLines(file)) {
    hash.update(bytes).update("\n");
    if (bytes.includes('"trace":null')) continue; // parsing a million rows would take a minute
    const row = JSON.parse(bytes.toString()) as Row;
    const trace = "load" in row ? row.load.trace : null;
    if (trace && run.traceFileHash(trace.hash) !== trace.file) return false;
  }
  return hash.digest("hex") === rows;
}

const batchRows = 5000;

/** Removes the unfinished indexes of killed processes. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^judged\.jsonl\.(\d+)$/.exec(name) ?? [];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(`${folder}/${name}`, { force: true });
  }
}

/** Writes a new index and replaces the old one when it is complete. If the folder is not writable, there is no index. */
export class RowIndexWriter {
  readonly #run: SavedRun;
  readonly #aside: string;
  readonly #hash = createHash("sha256");
  #file: number | null = null;
  #batch: string[] = [];

  constructor(run: SavedRun) {
    this.#run = run;
    this.#aside = `${run.folder}/${rowsFile}.${process.pid}`;
    this.#try(() => {
      removeAbandoned(run.folder);
      this.#file = openSync(this.#aside, "w");
    });
  }

  add(row: Row): void {
    if (this.#file === null) return;
    this.#batch.push(`${JSON.stringify(row)}\n`);
    if (this.#batch.length >= batchRows) this.#flush();
  }

  /** @param judgedBytes how many bytes of loads.jsonl the rows cover */
  finish(judge: string, judgedBytes: number): void {
    this.#flush();
    this.#try(() => {
      const { folder, lanes } = this.#run;
      const head: Head = {
        judge,
        lanes: lanes.length,
        inputs: inputsHash(this.#run, lanes.length),
        loadsBytes: judgedBytes,
        loads: hashOfBeginning(`${folder}/loads.jsonl`, judgedBytes),
        rows: this.#hash.digest("hex"),
      };
      renameSync(this.#aside, `${folder}/${rowsFile}`);
      writeFileSync(this.#aside, JSON.stringify({ ...head, seal: sealOf(headSchema.parse(head)) }));
      renameSync(this.#aside, `${folder}/${headFile}`);
    });
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    rmSync(this.#aside, { force: true });
  }

  #flush(): void {
    const text = this.#batch.join("");
    this.#batch = [];
    this.#hash.update(text);
    this.#try((file) => writeSync(file, text));
  }

  #try(write: (file: number) => void): void {
    try {
      write(this.#file ?? -1);
    } catch {
      this.close();
    }
  }
}
