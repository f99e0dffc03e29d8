/** A condition in a line: its loads that count, their median and their spread. */
import { median, quantile } from "simple-statistics";
import type { Values } from "../../../schema/plan.ts";
import type { Sample } from "./counted.ts";

export interface ConditionSummary {
  condition: string;
  /** Its values, as the flat fields of a load's line. */
  fields: Values;
  /** Loads that count, how many a whole run has, and those of them that are flagged. */
  loads: number;
  plannedLoads: number;
  flaggedLoads: number;
  /** In the metric's unit; null without a load. */
  median: number | null;
  lowerQuartile: number | null;
  upperQuartile: number | null;
}

export function summaryOf({ condition: { id, fields }, byBlock, planned, flagged }: Sample): ConditionSummary {
  const values = [...byBlock.values()];
  const of = (statistic: (values: number[]) => number) => (values.length ? statistic(values) : null);
  return {
    condition: id,
    fields,
    loads: values.length,
    plannedLoads: planned,
    flaggedLoads: flagged,
    median: of(median),
    lowerQuartile: of((all) => quantile(all, 0.25)),
    upperQuartile: of((all) => quantile(all, 0.75)),
  };
}
