/** Every try at a load as a flat row: its condition, its times, and what its evidence comes to. What CSV and Parquet hold. */
import { metrics } from "../../../metrics/registry.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { RecordedLoad } from "../../judge/judged-loads.ts";
import { measures } from "../measures.ts";

export type Row = Record<string, string | number | boolean | null | undefined>;

/** Some metrics are measures too, of the same name and value. */
const figures = new Map([...Object.values(metrics), ...measures].map((one) => [one.name, one.of]));
/** The columns that are numbers where they are anything: a run may have none of some. */
export const figureNames: ReadonlySet<string> = new Set(figures.keys());

/** Those of every row, a run's first load or none. @param conditions of the run, by their ids: all have the same fields */
export function columnsOf(conditions: ReadonlyMap<string, Condition>): string[] {
  const [any] = conditions.values();
  const tried = ["block", "attempt", "lane", "startedAt", "ok", "valid", "reason"];
  return ["condition", ...Object.keys(any?.fields ?? {}), ...tried, ...figureNames];
}

export const rowsOf = (loads: Iterable<RecordedLoad>, conditions: ReadonlyMap<string, Condition>): Row[] =>
  [...loads].map(({ record, valid, problems }) => {
    const { condition: id, block, attempt, lane, startedAt, ok, evidence } = record;
    return {
      condition: id,
      ...conditions.get(id)?.fields,
      block,
      attempt,
      lane,
      startedAt,
      ok,
      valid,
      reason: [...(record.ok ? [] : [record.reason]), ...problems].join("; "),
      ...Object.fromEntries([...figures].map(([name, of]) => [name, ok && evidence ? of(evidence) : null])),
    };
  });
