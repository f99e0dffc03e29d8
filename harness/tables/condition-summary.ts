/** Summarises a condition: the number of loads that count, their median and their spread. */

import { median, quantile } from "../statistics/quantile.ts";
import type { Sample } from "./counted.ts";

export type ConditionSummary = ReturnType<typeof summaryOf>;
export function summaryOf({ condition: { id, fields }, byBlock, planned, flagged }: Sample) {
  const values = [...byBlock.values()];
  const of = (statistic: (values: number[]) => number) => (values.length ? statistic(values) : null);
  return {
    condition: id,
    /** The condition's values as flat fields, as in a load's line. */
    fields,
    loads: values.length,
    plannedLoads: planned,
    flaggedLoads: flagged,
    /** In the metric's unit; null without loads; Infinity (null in JSON) if the median or quartile lies among loads that never ended. */
    median: of(median),
    lowerQuartile: of((all) => quantile(all, 0.25)),
    upperQuartile: of((all) => quantile(all, 0.75)),
  };
}
