/** Turns every attempt at a load into a flat row for CSV and Parquet: its condition, its times, and numbers from its evidence. */
import { keptMetrics } from "../../metrics/registry.ts";
import type { Condition } from "../../schema/plan.ts";
import type { JudgedLoad } from "../judge/run/judged-loads.ts";

export type Row = Record<string, string | number | boolean | null | undefined>;

/** The columns that are numbers or empty; in some runs a column is empty in every row. */
export const figureNames: ReadonlySet<string> = new Set(keptMetrics.map(({ name }) => name));

/** The columns, which are the same for every row. @param conditions the run's, by their ids; all have the same fields */
export function columnsOf(conditions: ReadonlyMap<string, Condition>): string[] {
  const [any] = conditions.values();
  const tried = ["block", "attempt", "lane", "startedAt", "ok", "valid", "reason"];
  return ["condition", ...Object.keys(any?.fields ?? {}), ...tried, ...figureNames];
}

export const rowsOf = (loads: Iterable<JudgedLoad>, conditions: ReadonlyMap<string, Condition>): Row[] =>
  [...loads].map(({ condition: id, block, attempt, chunk, startedAt, ok, valid, problems, ...load }) => {
    return {
      condition: id,
      ...conditions.get(id)?.fields,
      block,
      attempt,
      lane: chunk,
      startedAt,
      ok,
      valid,
      reason: [...(load.reason === null ? [] : [load.reason]), ...problems].join("; "),
      ...Object.fromEntries([...figureNames].map((name) => [name, ok ? (load.metrics[name] ?? null) : null])),
    };
  });
