import type { Condition, Values } from "../../schema/plan.ts";
import {
  type ComparedExperiment,
  type Comparisons,
  comparisonsOf,
  contrast,
  type FactorsSpec,
  type TableSpec,
} from "./comparisons.ts";

export interface Comparable {
  comparisons: Comparisons;
  tables: TableSpec[];
  /** A sentence that names the comparisons that were left out, if any. */
  leftOut: string[];
}

/** Keeps the comparisons for which these conditions have both sides, and the tables of these comparisons. */
export function comparable(
  { baseline, comparisons, tables }: ComparedExperiment,
  conditions: readonly Condition[],
): Comparable {
  const has = (side: Values) =>
    conditions.some(({ values }: { values: Values }) =>
      Object.entries(side).every(([axis, value]) => values[axis] === value),
    );
  const both = Object.entries(comparisons).filter(([, one]) => Object.values(contrast(baseline, one)).every(has));
  const kept = Object.fromEntries(both);
  const left = Object.keys(comparisons).filter((id) => !(id in kept));
  const titles = left.map((id) => `${id} (${comparisons[id]!.title})`).join(", ");
  return {
    comparisons: kept,
    tables: tables.flatMap((table): TableSpec[] => {
      if ("cells" in table) return factorsOf(table, kept);
      const [first, ...rest] = comparisonsOf(table).filter((id) => id in kept);
      if (first === undefined) return [];
      if ("summary" in table) return [{ ...table, summary: [first, ...rest] }];
      if ("differences" in table) return [{ ...table, differences: [first, ...rest] }];
      return "medians" in table ? [{ ...table, medians: [first, ...rest] }] : [table];
    }),
    leftOut: left.length
      ? [`Comparisons left out, because this run lacks the conditions of one side or of both: ${titles}.`]
      : [],
  };
}

function factorsOf(table: FactorsSpec, kept: Comparisons): FactorsSpec[] {
  if (table.cells === "value") return [table];
  const [first, ...rest] = (table.comparisons ?? Object.keys(kept)).filter((id) => id in kept);
  return first === undefined ? [] : [{ ...table, comparisons: [first, ...rest] }];
}
