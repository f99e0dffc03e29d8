/** A condition in a line: its loads that count, their median and their spread. */
import { median, quantile } from "simple-statistics";
import type { Sample } from "./counted.ts";

export type ConditionSummary = ReturnType<typeof summaryOf>;
export function summaryOf({ condition: { id, fields }, byBlock, planned, flagged }: Sample) {
  const values = [...byBlock.values()];
  const of = (statistic: (values: number[]) => number) => (values.length ? statistic(values) : null);
  return {
    condition: id,
    /** Its values, as the flat fields of a load's line. */
    fields,
    /** Loads that count, how many a whole run has, and those of them that are flagged. */
    loads: values.length,
    plannedLoads: planned,
    flaggedLoads: flagged,
    /** In the metric's unit; null without a load. */
    median: of(median),
    lowerQuartile: of((all) => quantile(all, 0.25)),
    upperQuartile: of((all) => quantile(all, 0.75)),
  };
}
