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
  /** Null without a load. */
  medianMs: number | null;
  lowerQuartileMs: number | null;
  upperQuartileMs: number | null;
}

export function summaryOf({ condition: { id, fields }, byBlock, planned, flagged }: Sample): ConditionSummary {
  const timesMs = [...byBlock.values()];
  const of = (statistic: (values: number[]) => number) => (timesMs.length ? statistic(timesMs) : null);
  return {
    condition: id,
    fields,
    loads: timesMs.length,
    plannedLoads: planned,
    flaggedLoads: flagged,
    medianMs: of(median),
    lowerQuartileMs: of((values) => quantile(values, 0.25)),
    upperQuartileMs: of((values) => quantile(values, 0.75)),
  };
}
