/** The only way from a run's lines to judged loads: tables, figures, explanations and exports all read loads through this module. */
import { chunkOf, type LoadRecord } from "../../../schema/records.ts";
import type { LoadLine, SavedRun } from "../../record/records.ts";
import { LineJudge, type LoadRow } from "../load/load-row.ts";
import { judgeVersion } from "./judge-version.ts";
import { type Row, RowIndex, RowIndexWriter } from "./row-index.ts";
import { type RunVerdict, VerdictBuilder } from "./run-verdict.ts";

export interface JudgedLoad extends LoadRow {
  /** Why the load is not a sample of its condition, in words; empty for a valid load. For a failed load, what is wrong with its line. */
  problems: string[];
  /** Whether the load did not fail, and neither its own evidence (load-row.ts) nor its place in the run (places.ts) contradicts it. */
  valid: boolean;
  /** Whether the load is invalid or flagged. Tables mark the cells that contain a marked load. */
  marked: boolean;
}

export type Judge = Pick<LineJudge, "judge">;

/** A judged load that can also return its complete record, with the evidence. The record is read only on demand, because reading it is slow. */
export interface RecordedLoad extends JudgedLoad {
  record(): LoadRecord;
}

/** Yields a run's loads in the order of the file, and returns the verdict on the run. Judgements are kept in an index in the user's cache. */
export function* judgedLoads(run: SavedRun): Generator<JudgedLoad, RunVerdict> {
  const index = new RowIndex(run, judgeVersion());
  const reading = new Reading(run, index.isWhole ? null : new RowIndexWriter(run, judgeVersion()));
  try {
    for (const row of index.rows()) {
      const load = reading.take(row);
      if (load) yield load;
    }
    if (!index.isWhole) for (const { load } of reading.judge(run.loads(index.judgedBytes))) yield load;
    return reading.verdict();
  } finally {
    index.close();
    reading.close();
  }
}

/** Like `judgedLoads`, but yields the records, too. @param fresh judges every line now, without the index @param judge by default a LineJudge */
export function* recordedLoads(
  run: SavedRun,
  { fresh = false, judge }: { fresh?: boolean; judge?: Judge } = {},
): Generator<RecordedLoad, RunVerdict> {
  const index = fresh ? null : new RowIndex(run, judgeVersion());
  const reading = new Reading(run, index?.isWhole ? null : new RowIndexWriter(run, judgeVersion()));
  const lines = run.lines();
  try {
    for (const row of index?.rows() ?? []) {
      const { value: line } = lines.next();
      const load = reading.take(row);
      if (load && line) yield { ...load, record: () => recordOf(run.read(line)) };
    }
    for (const { load, record } of reading.judge(run.loads(index?.judgedBytes), judge))
      yield { ...load, record: () => record };
    return reading.verdict();
  } finally {
    lines.return(); // closes its file
    index?.close();
    reading.close();
  }
}

function recordOf(line: LoadLine): LoadRecord {
  if ("load" in line) return line.load;
  throw new Error("the index has a load for a line of loads.jsonl that is not a load");
}

/** Returns the verdict on a run for `./lab verify`, with every line judged now. @param see is called with each load */
export const verdictOn = (run: SavedRun, see: (load: JudgedLoad) => void = () => {}): RunVerdict =>
  readToEnd(recordedLoads(run, { fresh: true }), see);

/** Passes all loads, one by one, to `take`. @returns the verdict on their run */
export function readToEnd<Load>(loads: Generator<Load, RunVerdict>, take: (load: Load) => void): RunVerdict {
  for (;;) {
    const { done, value } = loads.next();
    if (done) return value;
    take(value);
  }
}

/** Judged loads as an iterable that can be read several times; the verdict is known after the first complete reading. */
export class JudgedRun implements Iterable<JudgedLoad> {
  readonly #run: SavedRun;
  #verdict: RunVerdict | null = null;

  constructor(run: SavedRun) {
    this.#run = run;
  }

  *[Symbol.iterator](): Generator<JudgedLoad> {
    this.#verdict = yield* judgedLoads(this.#run);
  }

  verdict(): RunVerdict {
    if (!this.#verdict) throw new Error("the run's verdict is known only after all of its loads have been read");
    return this.#verdict;
  }

  /** Returns the conditions with an axis that none of their loads confirms. Tables mark all loads of these conditions. */
  neverConfirmed = (): Set<string> => new Set(this.verdict().neverConfirmed.map(({ condition }) => condition));
}

class Reading {
  readonly #run: SavedRun;
  readonly #writer: RowIndexWriter | null;
  readonly #builder: VerdictBuilder;
  #lines = 0;
  #bytes = 0;

  /** @param writer writes a new index; null if the existing one is complete */
  constructor(run: SavedRun, writer: RowIndexWriter | null) {
    this.#run = run;
    this.#writer = writer;
    this.#builder = new VerdictBuilder(run);
  }

  /** @returns null for a line that is not a load */
  take(row: Row): JudgedLoad | null {
    this.#lines++;
    this.#writer?.add(row);
    if ("torn" in row) this.#builder.torn();
    else if ("problem" in row) this.#builder.problem(row.problem);
    else {
      const problems = this.#builder.add(row.load);
      const valid = row.load.ok && problems.length === 0;
      return { ...row.load, problems, valid, marked: problems.length + row.load.judgement.flags.length > 0 };
    }
    return null;
  }

  *judge(
    lines: Iterable<LoadLine>,
    judge: Judge = new LineJudge(this.#run),
  ): Generator<{ load: JudgedLoad; record: LoadRecord }> {
    const lanes = new Set(this.#run.lanes.map(chunkOf));
    for (const read of lines) {
      const { offset, bytes } = read.line;
      this.#bytes = offset + bytes.length + 1;
      if ("torn" in read) this.take({ torn: true });
      else if ("problem" in read) this.take({ problem: `loads.jsonl, byte ${offset}: ${read.problem}` });
      else {
        // A lane that began after the run was opened is unknown here, so judgements of its loads are not kept.
        if (!lanes.has(chunkOf(read.load))) this.#writer?.close();
        const load = this.take({ load: judge.judge(read.load, this.#lines + 1, read.hash) });
        if (load) yield { load, record: read.load };
      }
    }
  }

  verdict(): RunVerdict {
    if (this.#bytes > 0) this.#writer?.finish(this.#bytes);
    return this.#builder.verdict();
  }

  close(): void {
    this.#writer?.close();
  }
}
