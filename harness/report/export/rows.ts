/** Turns every attempt at a load into a flat row for CSV and Parquet: its condition, its times, and numbers from its evidence. */
import { metrics } from "../../../metrics/registry.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { RecordedLoad } from "../../judge/judged-loads.ts";
import { measures } from "../measures.ts";

export type Row = Record<string, string | number | boolean | null | undefined>;

/** Metrics that are measures too have the same name and value. */
const figures = new Map([...Object.values(metrics), ...measures].map((one) => [one.name, one.of]));
/** The columns that are numbers or empty; in some runs a column is empty in every row. */
export const figureNames: ReadonlySet<string> = new Set(figures.keys());

/** The columns, which are the same for every row. @param conditions the run's, by their ids; all have the same fields */
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
