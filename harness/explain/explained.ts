/** The valid loads of a run whose trace is kept, each with the parts of its time. */
import type { Condition } from "../../schema/plan.ts";
import type { GoodLoad, LoadRecord } from "../../schema/records.ts";
import type { Trace } from "../../schema/trace.ts";
import { recordedLoads } from "../judge/judged-loads.ts";
import type { RunVerdict } from "../judge/run-verdict.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { type Account, accountOf } from "./account.ts";
import { type Floor, floorOf } from "./floor.ts";

export interface ExplainedLoad {
  /** Its line in loads.jsonl, counted from 1. */
  line: number;
  condition: Condition;
  load: GoodLoad;
  trace: Trace;
  /** null if packets do not show it, as over QUIC. */
  account: Account | null;
  floor: Floor | null;
}

export function* explainedLoads(
  run: SavedRun,
  isAsked: (load: LoadRecord) => boolean = () => true,
): Generator<ExplainedLoad, RunVerdict> {
  const conditions = new Map(conditionsOfRun(run.manifest).map((condition) => [condition.id, condition]));
  const loads = recordedLoads(run);
  for (;;) {
    const { done, value } = loads.next();
    if (done) return value;
    const { valid, line } = value;
    const condition = conditions.get(value.condition);
    if (!valid || !value.trace || !condition) continue;
    const load = value.record();
    if (!load.ok || !load.trace || !isAsked(load)) continue;
    const trace = run.traceOf(load.trace);
    const floor = floorOf(condition, run.manifest.registries, load.evidence);
    yield { line, condition, load, trace, account: accountOf(load, trace, run.manifest), floor };
  }
}
