/** Caches a run's judged loads. The cache is used only if the hashes of its rows, the run's files, the traces and the judging code are unchanged. */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { cacheFolder } from "../../../hosts/cache-folder.ts";
import { sha256 } from "../../../schema/sha256.ts";
import { hashOfBeginning, readLines, readOpenLines } from "../../record/journal.ts";
import { isPacked, packedHash } from "../../record/packed-file.ts";
import type { SavedRun } from "../../record/records.ts";
import { openFile, parsedJson, readBytes } from "../../record/run-files.ts";
import type { LoadRow } from "../load/load-row.ts";

/** A judged line of loads.jsonl: a load, or why it is not a load. */
export type Row = { load: LoadRow } | { torn: true } | { problem: string };

/** The head of an index, written after its rows. All strings are SHA-256 hashes. */
const headSchema = z.strictObject({
  /** `inputs` is the hash of the manifest and of the first lanes; `lanes` is the number of these lanes. */
  lanes: z.int(),
  inputs: z.string(),
  /** How many bytes of loads.jsonl are judged. `loads` is the hash of these bytes, or the hash of the packed file. */
  loadsBytes: z.int(),
  loads: z.string(),
  rows: z.string(),
});
type Head = z.infer<typeof headSchema>;

const mostHeadBytes = 1e6;
/** If all indexes together are larger than this, the least recently used ones are removed, except those that were used within a day. */
const mostBytes = 1e9;
const dayMs = 86_400_000;

/** Returns the paths of a run's index. Copies of a run share them, but a packed and an unpacked copy replace each other's index. */
export function indexFiles({ manifest }: Pick<SavedRun, "manifest">, judge: string): { head: string; rows: string } {
  const path = `${cacheFolder("judged")}/${sha256(JSON.stringify([judge, manifest])).slice(0, 32)}`;
  return { head: `${path}.json`, rows: `${path}.jsonl` };
}

/** A run's index; empty if it is not usable. */
export class RowIndex {
  /** How many bytes of loads.jsonl the rows cover. */
  readonly judgedBytes: number;
  /** Whether the rows cover the whole file. */
  readonly isWhole: boolean;
  /** The open file of the rows. It is opened before it is checked, because another process may replace it. */
  readonly #rows: number | null;

  /** @param judge the version of the code that judges (judge-version.ts) */
  constructor(run: SavedRun, judge: string) {
    this.#rows = openRows(indexFiles(run, judge).rows);
    this.judgedBytes = (this.#rows !== null && usableHead(run, judge, this.#rows)?.loadsBytes) || 0;
    this.isWhole = this.judgedBytes > 0 && coversAll(loadsOf(run), this.judgedBytes);
  }

  *rows(): Generator<Row> {
    if (this.#rows !== null && this.judgedBytes > 0)
      for (const { bytes } of readOpenLines(this.#rows)) yield JSON.parse(bytes.toString()) as Row;
  }

  close(): void {
    if (this.#rows !== null) closeSync(this.#rows);
  }
}

/** A packed file is always judged whole, because nothing is appended to it. */
function coversAll(path: string, judgedBytes: number): boolean {
  if (isPacked(path)) return true;
  const [next] = readLines(path, judgedBytes); // destructuring ends the generator, which closes the file
  return next === undefined;
}

function openRows(path: string): number | null {
  try {
    return openFile(path);
  } catch {
    return null; // there is no index
  }
}

function usableHead(run: SavedRun, judge: string, rows: number): Head | null {
  try {
    const files = indexFiles(run, judge);
    const head = headSchema.parse(parsedJson(readBytes(files.head, mostHeadBytes).toString()));
    for (const used of Object.values(files)) utimesSync(used, new Date(), new Date());
    return head.inputs === inputsHash(run, head.lanes) &&
      head.loads === hashOfLoads(run, head.loadsBytes) &&
      rowsAreWhole(run, head, rows)
      ? head
      : null;
  } catch {
    return null; // there is no index, or it is truncated
  }
}

const loadsOf = ({ folder }: Pick<SavedRun, "folder">) => `${folder}/loads.jsonl`;

/** Hashes the first bytes of loads.jsonl. A packed file is hashed without unpacking, which saves half a minute for all committed runs. */
const hashOfLoads = (run: SavedRun, bytes: number): string =>
  packedHash(loadsOf(run)) ?? hashOfBeginning(loadsOf(run), bytes);

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

/** Removes the unfinished indexes of killed processes, and old indexes (see `mostBytes`). */
function removeOld(folder: string): void {
  const files = readdirSync(folder).map((name) => {
    const { mtimeMs = 0, size = 0 } = statSync(`${folder}/${name}`, { throwIfNoEntry: false }) ?? {};
    return { path: `${folder}/${name}`, mtimeMs, size, pid: /\.(\d+)$/.exec(name)?.[1] };
  });
  let bytes = 0;
  for (const { path, mtimeMs, size, pid } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    bytes += size;
    const isOld = bytes > mostBytes && Date.now() - mtimeMs > dayMs;
    if (isOld || (pid && !existsSync(`/proc/${pid}`))) rmSync(path, { force: true });
  }
}

/** Writes a new index and replaces the old one when it is complete. If the cache is not writable, there is no index. */
export class RowIndexWriter {
  readonly #run: SavedRun;
  readonly #files: { head: string; rows: string };
  readonly #aside: string;
  readonly #wasPacked: boolean;
  readonly #hash = createHash("sha256");
  #file: number | null = null;
  #batch: string[] = [];

  constructor(run: SavedRun, judge: string) {
    this.#run = run;
    this.#files = indexFiles(run, judge);
    this.#aside = `${this.#files.rows}.${process.pid}`;
    this.#wasPacked = isPacked(loadsOf(run));
    this.#try(() => {
      const folder = dirname(this.#aside);
      mkdirSync(folder, { recursive: true });
      removeOld(folder);
      this.#file = openSync(this.#aside, "w");
    });
  }

  add(row: Row): void {
    if (this.#file === null) return;
    this.#batch.push(`${JSON.stringify(row)}\n`);
    if (this.#batch.length >= batchRows) this.#flush();
  }

  finish(judgedBytes: number): void {
    this.#flush();
    this.#try(() => {
      const { lanes } = this.#run;
      const head: Head = {
        lanes: lanes.length,
        inputs: inputsHash(this.#run, lanes.length),
        loadsBytes: judgedBytes,
        // If the run was packed meanwhile, the packed file may have more lines. The hash of unpacked bytes makes the next reader judge it again.
        loads: this.#wasPacked ? hashOfLoads(this.#run, judgedBytes) : hashOfBeginning(loadsOf(this.#run), judgedBytes),
        rows: this.#hash.digest("hex"),
      };
      renameSync(this.#aside, this.#files.rows);
      writeFileSync(this.#aside, JSON.stringify(head));
      renameSync(this.#aside, this.#files.head);
    });
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    if (existsSync(this.#aside)) rmSync(this.#aside, { force: true });
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
