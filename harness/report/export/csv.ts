/** Every try at a load in a line: its condition, its times, and what its evidence comes to. */
import { stringify } from "csv-stringify/sync";
import { metrics } from "../../../metrics/registry.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { LoadRecord } from "../../../schema/records.ts";
import { measures } from "../measures.ts";

const figures = [...Object.values(metrics), ...measures];

/** Without a load it is its header. @param conditions of the run, by their ids: all have the same fields */
export const loadsCsv = (loads: Iterable<LoadRecord>, conditions: ReadonlyMap<string, Condition>): string =>
  stringify(
    [...loads].map((load) => rowOf(load, conditions.get(load.condition))),
    { header: true, columns: columnsOf(conditions) },
  );

function columnsOf(conditions: ReadonlyMap<string, Condition>): string[] {
  const [any] = conditions.values();
  const tried = ["block", "attempt", "lane", "startedAt", "ok", "reason"];
  return ["condition", ...Object.keys(any?.fields ?? {}), ...tried, ...figures.map(({ name }) => name)];
}

function rowOf(load: LoadRecord, condition: Condition | undefined): Record<string, unknown> {
  const { condition: id, block, attempt, lane, startedAt, ok, evidence } = load;
  return {
    condition: id,
    ...condition?.fields,
    block,
    attempt,
    lane,
    startedAt,
    ok,
    reason: ok ? "" : load.reason,
    ...Object.fromEntries(figures.map(({ name, of }) => [name, ok && evidence ? of(evidence) : null])),
  };
}
