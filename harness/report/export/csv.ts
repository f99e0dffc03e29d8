/** Every try at a load in a line: its condition, its times, and what its evidence comes to. */
import { stringify } from "csv-stringify/sync";
import { metrics } from "../../../metrics/registry.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { LoadRecord } from "../../../schema/records.ts";
import { measures } from "../measures.ts";

export const loadsCsv = (loads: Iterable<LoadRecord>, conditions: ReadonlyMap<string, Condition>): string =>
  stringify(
    [...loads].map((load) => rowOf(load, conditions.get(load.condition))),
    { header: true },
  );

function rowOf(load: LoadRecord, condition: Condition | undefined): Record<string, unknown> {
  const { condition: id, block, attempt, lane, startedAt, ok, evidence } = load;
  const figures = [...Object.values(metrics), ...measures].map(({ name, of }) => [
    name,
    ok && evidence ? of(evidence) : null,
  ]);
  return {
    condition: id,
    ...condition?.fields,
    block,
    attempt,
    lane,
    startedAt,
    ok,
    reason: ok ? "" : load.reason,
    ...Object.fromEntries(figures),
  };
}
