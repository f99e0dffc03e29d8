/** A run's loads with where their time went: those that count and whose trace is kept. */
import type { Condition } from "../../schema/plan.ts";
import type { GoodLoad } from "../../schema/records.ts";
import type { Trace } from "../../schema/trace.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { type Account, accountOf } from "./account.ts";
import { type Floor, floorOf } from "./floor.ts";

export interface ExplainedLoad {
  /** Of loads.jsonl, counted from 1. */
  line: number;
  condition: Condition;
  load: GoodLoad;
  trace: Trace;
  /** null where packets cannot tell, as over QUIC. */
  account: Account | null;
  floor: Floor | null;
}

/** @throws Error for a trace that is missing, or another one than its line names */
export function* explainedLoads(
  run: SavedRun,
  isAsked: (load: GoodLoad) => boolean = () => true,
): Generator<ExplainedLoad> {
  const conditions = new Map(conditionsOfRun(run.manifest).map((condition) => [condition.id, condition]));
  let line = 0;
  for (const read of run.loads()) {
    line++;
    if (!("load" in read) || !read.load.ok || !read.load.trace || !isAsked(read.load)) continue;
    const condition = conditions.get(read.load.condition);
    if (!condition) continue;
    const trace = run.traceOf(read.load.trace);
    const floor = floorOf(condition, run.manifest.registries, read.load.evidence);
    yield { line, condition, load: read.load, trace, account: accountOf(read.load, trace), floor };
  }
}
