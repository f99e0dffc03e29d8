/** Explains the valid loads of a run that have a trace: splits the time of each load into parts. */
import type { Condition } from "../../schema/plan.ts";
import type { GoodLoad, LoadRecord } from "../../schema/records.ts";
import type { Trace } from "../../schema/trace.ts";
import { type RecordedLoad, recordedLoads } from "../judge/run/judged-loads.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { type Account, accountOf } from "./account.ts";
import { type Floor, floorOf } from "./floor.ts";

export interface ExplainedLoad {
  /** The load's line in loads.jsonl, counted from 1. */
  line: number;
  condition: Condition;
  load: GoodLoad;
  trace: Trace;
  /** null if packets do not show where the time went: for example, QUIC was not decrypted, or the link's rate varies. */
  account: Account | null;
  floor: Floor | null;
}

type IsAsked = (load: LoadRecord) => boolean;

export function* explainedLoads(run: SavedRun, isAsked: IsAsked): Generator<ExplainedLoad> {
  const explain = explainer(run, isAsked);
  for (const load of recordedLoads(run)) {
    const explained = explain(load);
    if (explained) yield explained;
  }
}

/** For callers that read the loads themselves. The returned function returns null for loads that are invalid, have no trace, or are not asked for. */
export function explainer(run: SavedRun, isAsked: IsAsked = () => true): (load: RecordedLoad) => ExplainedLoad | null {
  const conditions = new Map(conditionsOfRun(run.manifest).map((condition) => [condition.id, condition]));
  return ({ valid, line, trace: kept, condition: id, record }) => {
    const condition = conditions.get(id);
    if (!valid || !kept || !condition) return null;
    const load = record();
    if (!load.ok || !load.trace || !isAsked(load)) return null;
    const trace = run.traceOf(load.trace);
    const floor = floorOf(condition, run.manifest.registries, load.evidence);
    return { line, condition, load, trace, account: accountOf(load, trace, run.manifest), floor };
  };
}
