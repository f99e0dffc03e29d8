/** Judged loads, kept beside the file of the loads: each line's evidence is judged once. */
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { z } from "zod";
import { sha256 } from "./chain.ts";
import { type Line, readLines } from "./journal.ts";
import type { LoadLine, SavedRun } from "./records.ts";

/** What reports need of a load, and what its own evidence says of it. */
export interface JudgedLoad {
  condition: string;
  block: number;
  attempt: number;
  lane: number;
  ok: boolean;
  startedAt: string;
  wallMs: number;
  /** Of its evidence: numbers that no other load has; empty where it has none. */
  fingerprints: readonly number[];
  /** By metric (metrics/); null where it has none, or failed. */
  metrics: Record<string, number | null>;
  /** CPU time of the lab's processes; on a virtual clock, the drawn processing times. */
  processorMs: number | null;
  /** Packets a full queue dropped, down the link. */
  queueDrops: number | null;
  /** What contradicts its condition, and what it is beside it (harness/judge/load.ts). */
  contradictions: string[];
  undecided: string[];
  flags: string[];
}

/** Who judges: what it makes of a line (null for one that is no record), and a text that differs when its judgement may. */
export interface Judge {
  version: string;
  judge(line: LoadLine): JudgedLoad | null;
}

/** What the index holds, and of what; written last. Its rows stand in a file beside it, a line a load. */
const headSchema = z.strictObject({
  judge: z.string(),
  manifest: z.string(),
  /** So many bytes of loads.jsonl are judged; when they were all, this was its time of change. */
  bytes: z.int(),
  changedMs: z.number(),
  /** The last line judged: where it is, and its SHA-256. */
  lastOffset: z.int(),
  lastHash: z.string(),
  /** Of the rows' file. */
  rowsBytes: z.int(),
  /** Chunk -> SHA-256 of its last line in loads.jsonl. */
  chunks: z.record(z.string(), z.string()),
});
type Head = z.infer<typeof headSchema>;

const [headFile, rowsFile] = ["judged.json", "judged.jsonl"];

/**
 * A run's loads, judged: those that were judged before by the index, the others now; then the index holds them too.
 * A cache for reports alone: `./lab verify` reads every line itself.
 */
export class JudgedLoads implements Iterable<JudgedLoad> {
  readonly #folder: string;
  readonly #run: SavedRun;
  readonly #judge: Judge;
  /** Chunk -> SHA-256 of its last line in loads.jsonl; of all loads that were read. */
  chunks: Record<string, string> = {};

  constructor(folder: string, run: SavedRun, judge: Judge) {
    this.#folder = folder;
    this.#run = run;
    this.#judge = judge;
  }

  *[Symbol.iterator](): Generator<JudgedLoad> {
    const loadsPath = `${this.#folder}/loads.jsonl`;
    if (!existsSync(loadsPath)) return;
    const manifest = sha256(readFileSync(`${this.#folder}/run.json`));
    const before = this.#usableHead(manifest);
    const { size, mtimeMs: changedMs } = statSync(loadsPath);
    this.chunks = { ...before?.chunks };
    if (before?.bytes === size) {
      yield* this.#rows();
      return;
    }
    const rows = new RowsWriter(`${this.#folder}/${rowsFile}`);
    try {
      if (before)
        for (const row of this.#rows()) {
          rows.add(row);
          yield row;
        }
      let last: { line: Line; hash: string } | null = null;
      for (const line of this.#run.loads(before?.bytes)) {
        last = { line: line.line, hash: sha256(line.line.bytes) };
        const row = this.#judge.judge(line);
        if (!row) continue;
        this.chunks[row.lane] = last.hash;
        rows.add(row);
        yield row;
      }
      if (!last) return;
      const { offset, bytes } = last.line;
      const judged = { judge: this.#judge.version, manifest, changedMs, bytes: offset + bytes.length + 1 };
      const rowsBytes = rows.finish();
      this.#write({ ...judged, lastOffset: offset, lastHash: last.hash, rowsBytes, chunks: this.chunks });
    } finally {
      rows.close();
    }
  }

  /** The index's head, when what it holds is the beginning of the file by this judge; else null. */
  #usableHead(manifest: string): Head | null {
    const loadsPath = `${this.#folder}/loads.jsonl`;
    try {
      const head = headSchema.parse(JSON.parse(readFileSync(`${this.#folder}/${headFile}`, "utf8")));
      const { size, mtimeMs } = statSync(loadsPath);
      if (head.judge !== this.#judge.version || head.manifest !== manifest || size < head.bytes) return null;
      if (head.rowsBytes !== statSync(`${this.#folder}/${rowsFile}`).size) return null;
      if (size === head.bytes) return mtimeMs === head.changedMs ? head : null;
      const [line] = readLines(loadsPath, head.lastOffset);
      return line && sha256(line.bytes) === head.lastHash ? head : null;
    } catch {
      return null; // there is none, or it is torn
    }
  }

  *#rows(): Generator<JudgedLoad> {
    for (const { bytes } of readLines(`${this.#folder}/${rowsFile}`)) yield JSON.parse(bytes.toString()) as JudgedLoad;
  }

  #write(head: Head): void {
    const path = `${this.#folder}/${headFile}`;
    try {
      writeFileSync(`${path}.${process.pid}`, JSON.stringify(head));
      renameSync(`${path}.${process.pid}`, path);
    } catch {
      rmSync(`${path}.${process.pid}`, { force: true }); // where nobody may write, reports go without
    }
  }
}

const batchRows = 5000;

/** New rows beside the old ones, which they replace when they are whole. Where nobody may write, reports go without. */
class RowsWriter {
  readonly #path: string;
  readonly #aside: string;
  #file: number | null = null;
  #batch: string[] = [];
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#aside = `${path}.${process.pid}`;
    this.#try(() => {
      this.#file = openSync(this.#aside, "w");
    });
  }

  add(row: JudgedLoad): void {
    if (this.#file === null) return;
    this.#batch.push(JSON.stringify(row));
    if (this.#batch.length >= batchRows) this.#flush();
  }

  /** @returns how many bytes they are */
  finish(): number {
    this.#flush();
    this.#try(() => renameSync(this.#aside, this.#path));
    return this.#bytes;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    rmSync(this.#aside, { force: true });
  }

  #flush(): void {
    const text = this.#batch.map((row) => `${row}\n`).join("");
    this.#batch = [];
    this.#try((file) => {
      this.#bytes += writeSync(file, text);
    });
  }

  #try(write: (file: number) => void): void {
    try {
      write(this.#file ?? -1);
    } catch {
      this.close();
    }
  }
}
