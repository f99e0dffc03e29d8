/**
 * Judged loads, kept beside the lines that they were judged from: each line is judged once. The index counts only where the SHA-256
 * of all that it holds and follows from is what it was: the rows, the run's files, the traces, and the code that judges.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { z } from "zod";
import { sha256 } from "../record/digest.ts";
import { hashOfBeginning, readLines } from "../record/journal.ts";
import type { SavedRun } from "../record/records.ts";
import type { LoadRow } from "./load-row.ts";

/** A line of loads.jsonl, judged: a load, or why it is none. */
export type Row = { load: LoadRow } | { torn: true } | { problem: string };

/** Written last, beside the rows, which have a line each. Texts are SHA-256. */
const headSchema = z.strictObject({
  judge: z.string(),
  /** Of the manifest and so many lanes, the first, as they were read. */
  lanes: z.int(),
  inputs: z.string(),
  /** Of so many bytes of loads.jsonl: what the rows are of. */
  loadsBytes: z.int(),
  loads: z.string(),
  rows: z.string(),
});
type Head = z.infer<typeof headSchema>;

const [headFile, rowsFile] = ["judged.json", "judged.jsonl"];

/** A run's index, as far as it is good. */
export class RowIndex {
  /** Of loads.jsonl: what the rows are of. */
  readonly judgedBytes: number;
  /** Whether the file has no more. */
  readonly isWhole: boolean;
  readonly #path: string;

  /** @param judge a text that differs when a judgement may */
  constructor(run: SavedRun, judge: string) {
    this.#path = `${run.folder}/${rowsFile}`;
    this.judgedBytes = usableHead(run, judge)?.loadsBytes ?? 0;
    const [next] = readLines(`${run.folder}/loads.jsonl`, this.judgedBytes);
    this.isWhole = this.judgedBytes > 0 && next === undefined;
  }

  *rows(): Generator<Row> {
    if (this.judgedBytes > 0) for (const { bytes } of readLines(this.#path)) yield JSON.parse(bytes.toString()) as Row;
  }
}

function usableHead(run: SavedRun, judge: string): Head | null {
  try {
    const head = headSchema.parse(JSON.parse(readFileSync(`${run.folder}/${headFile}`, "utf8")));
    return head.judge === judge &&
      head.inputs === inputsHash(run, head.lanes) &&
      head.loads === hashOfBeginning(`${run.folder}/loads.jsonl`, head.loadsBytes) &&
      rowsAreWhole(run, head)
      ? head
      : null;
  } catch {
    return null; // there is none, or it is cut off
  }
}

const inputsHash = ({ manifest, lanes }: SavedRun, count: number): string =>
  sha256(JSON.stringify([manifest, lanes.slice(0, count)]));

/** Whether the rows are those that were written, and the traces that some were judged by are still the same. */
function rowsAreWhole(run: SavedRun, { rows }: Head): boolean {
  const hash = createHash("sha256");
  for (const { bytes } of readLines(`${run.folder}/${rowsFile}`)) {
    hash.update(bytes).update("\n");
    const row = JSON.parse(bytes.toString()) as Row;
    const trace = "load" in row ? row.load.trace : null;
    if (trace && run.traceFileHash(trace.hash) !== trace.file) return false;
  }
  return hash.digest("hex") === rows;
}

const batchRows = 5000;

/** Writes an index beside the old one, which it replaces once it is whole. Where nobody may write, reports go without. */
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
      this.#file = openSync(this.#aside, "w");
    });
  }

  add(row: Row): void {
    if (this.#file === null) return;
    this.#batch.push(`${JSON.stringify(row)}\n`);
    if (this.#batch.length >= batchRows) this.#flush();
  }

  /** @param judgedBytes of loads.jsonl, which the rows are of */
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
      writeFileSync(this.#aside, JSON.stringify(head));
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
