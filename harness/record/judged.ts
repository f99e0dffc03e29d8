/** Judged loads, kept beside the file of the loads: each line's evidence is judged once. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { z } from "zod";
import { type Line, readLines } from "./journal.ts";
import type { LoadLine, SavedRun } from "./records.ts";

/** What reports need of a load, and what its own evidence says of it. */
export interface JudgedLoad {
  condition: string;
  block: number;
  attempt: number;
  lane: number;
  ok: boolean;
  wallMs: number;
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

const indexFile = "judged.jsonl";

/** First line of the index: what it holds, of what. A line a load follows. */
const headSchema = z.strictObject({
  judge: z.string(),
  manifest: z.string(),
  /** So many bytes of loads.jsonl are judged; when they were all, this was its time of change. */
  bytes: z.int(),
  changedMs: z.number(),
  /** The last line judged: where it is, and its SHA-256. */
  lastOffset: z.int(),
  lastHash: z.string(),
});
type Head = z.infer<typeof headSchema>;

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

/**
 * A run's loads, judged: those that were judged before by the index, the others now; then the index holds them too.
 * A cache for reports alone: `./lab verify` reads every line itself.
 */
export function* judgedLoads(folder: string, run: SavedRun, { version, judge }: Judge): Generator<JudgedLoad> {
  const [loadsPath, indexPath] = [`${folder}/loads.jsonl`, `${folder}/${indexFile}`];
  if (!existsSync(loadsPath)) return;
  const manifest = sha256(readFileSync(`${folder}/run.json`));
  const before = usableHead(indexPath, loadsPath, version, manifest);
  const { size, mtimeMs: changedMs } = statSync(loadsPath);
  if (before?.bytes === size) {
    yield* rowsOf(indexPath);
    return;
  }
  const next = new IndexWriter(indexPath);
  try {
    if (before)
      for (const row of rowsOf(indexPath)) {
        next.add(row);
        yield row;
      }
    let last: Line | null = null;
    for (const line of run.loads(before?.bytes)) {
      const row = judge(line);
      last = line.line;
      if (!row) continue;
      next.add(row);
      yield row;
    }
    if (!last) return;
    const bytes = last.offset + last.bytes.length + 1;
    next.finish({ judge: version, manifest, changedMs, bytes, lastOffset: last.offset, lastHash: sha256(last.bytes) });
  } finally {
    next.close();
  }
}

/** The index's head, when what it holds is the beginning of the file by this judge; else null. */
function usableHead(indexPath: string, loadsPath: string, judge: string, manifest: string): Head | null {
  const [first] = readLines(indexPath);
  const parsed = headSchema.safeParse(first && jsonOf(first.bytes));
  if (!parsed.success) return null;
  const head = parsed.data;
  const { size, mtimeMs } = statSync(loadsPath);
  if (head.judge !== judge || head.manifest !== manifest || size < head.bytes) return null;
  if (size === head.bytes) return mtimeMs === head.changedMs ? head : null;
  const [line] = readLines(loadsPath, head.lastOffset);
  return line && sha256(line.bytes) === head.lastHash ? head : null;
}

function* rowsOf(indexPath: string): Generator<JudgedLoad> {
  let head = true;
  for (const { bytes } of readLines(indexPath)) {
    if (!head) yield JSON.parse(bytes.toString()) as JudgedLoad;
    head = false;
  }
}

/** Room for the head, which is known last. */
const headBytes = 512;
const batchRows = 5000;

/** A new index beside the old one: whole when it is finished, else not there. Where nobody may write, reports go without. */
class IndexWriter {
  readonly #path: string;
  readonly #aside: string;
  #file: number | null = null;
  #batch: string[] = [];

  constructor(path: string) {
    this.#path = path;
    this.#aside = `${path}.${process.pid}`;
    this.#try(() => {
      this.#file = openSync(this.#aside, "w");
      writeSync(this.#file, `${" ".repeat(headBytes - 1)}\n`);
    });
  }

  add(row: JudgedLoad): void {
    if (this.#file === null) return;
    this.#batch.push(JSON.stringify(row));
    if (this.#batch.length >= batchRows) this.#flush();
  }

  finish(head: Head): void {
    this.#flush();
    this.#try((file) => {
      writeSync(file, JSON.stringify(head).padEnd(headBytes - 1), 0);
      renameSync(this.#aside, this.#path);
    });
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    rmSync(this.#aside, { force: true });
  }

  #flush(): void {
    if (this.#batch.length) this.#try((file) => void writeSync(file, `${this.#batch.join("\n")}\n`));
    this.#batch = [];
  }

  #try(write: (file: number) => void): void {
    try {
      write(this.#file ?? -1);
    } catch {
      this.close();
    }
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return null;
  }
}
