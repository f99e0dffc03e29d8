import type { Condition, Values } from "../../schema/plan.ts";
import { type Cases, type Comparisons, casesOf, type TableSpec } from "./comparisons.ts";

export interface Comparable {
  cases: Cases;
  tables: TableSpec[];
  /** What is not among them, in whole sentences. */
  leftOut: string[];
}

/** The cases of which these conditions have both sides, and the tables that are left with them. */
export function comparable({ base, cases, tables }: Comparisons, conditions: readonly Condition[]): Comparable {
  const has = (side: Values) =>
    conditions.some(({ values }) => Object.entries(side).every(([axis, value]) => values[axis] === value));
  const both = Object.entries(cases).filter(([, { option }]) => has(base) && has({ ...base, ...option }));
  const kept = Object.fromEntries(both);
  const left = Object.keys(cases).filter((id) => !(id in kept));
  const titles = left.map((id) => `${id} (${cases[id]!.title})`).join(", ");
  return {
    cases: kept,
    tables: tables.flatMap((table): TableSpec[] => {
      const [first, ...rest] = casesOf(table).filter((id) => id in kept);
      if (first === undefined) return [];
      if ("summary" in table) return [{ ...table, summary: [first, ...rest] }];
      if ("differences" in table) return [{ ...table, differences: [first, ...rest] }];
      return "medians" in table ? [{ ...table, medians: [first, ...rest] }] : [table];
    }),
    leftOut: left.length ? [`Case ${titles}: this run has no loads of both sides.`] : [],
  };
}
