/** Summarises how the time of each condition splits into parts, and which parts cause a comparison's speedup. */
import type { Condition, Values } from "../../../schema/plan.ts";
import { type ComparedExperiment, type Comparisons, contrast } from "../../plan/comparisons.ts";
import { median } from "../../statistics/quantile.ts";
import { pairsOf } from "../../tables/scenario.ts";
import { whyUnexplained } from "../account.ts";
import type { ExplainedLoad } from "../explained.ts";
import { type PartsMs, partsOf } from "../parts.ts";

/** Medians over a condition's loads whose parts are known. */
export type ExplainedCondition = ReturnType<typeof conditionOf>;
/** How much of each part an option saves in one scenario; negative if the part is longer. */
export type ExplainedSpeedup = ReturnType<typeof speedupsOf>[number];

/** A table's speedup that has a published counterpart (beside-published.ts). */
export interface SpeedupBesidePublished {
  table: string;
  /** In a grid, the cell; in a summary, the comparison's best or worst scenario, which the source names. */
  where: string;
  scenarios: number;
  /** The mean of this run's speedups over the scenarios. */
  ours: number;
  published: number;
  /** The speedup if the option took exactly as long as its floor; null if the floor is not known. */
  most: number | null;
  /** What each part adds to a speedup of 1: the time saved in this part, as a share of the option's time, averaged over the scenarios. */
  parts: PartsMs;
}

export type Explanation = ReturnType<typeof explanationOf>;

export function explanationOf(
  loads: Iterable<Pick<ExplainedLoad, "condition" | "load" | "account" | "floor" | "trace">>,
  { baseline: base, comparisons: cases }: Pick<ComparedExperiment, "baseline" | "comparisons">,
  besidePublished: (speedups: readonly ExplainedSpeedup[]) => SpeedupBesidePublished[] = () => [],
) {
  const byCondition = new Map<Condition, Accounted[]>();
  const unexplained = new Map<string, string>();
  for (const { condition, load, account, floor, trace } of loads) {
    if (!account) unexplained.set(condition.id, whyUnexplained(load, trace));
    else
      byCondition.set(condition, [
        ...(byCondition.get(condition) ?? []),
        { parts: account.parts, pageLoadMs: load.pageLoadMs, floorMs: floor?.ms ?? null },
      ]);
  }
  const conditions = [...byCondition].map(conditionOf);
  const speedups = speedupsOf(conditions, base, cases);
  return {
    conditions,
    speedups,
    /** The speedups that differ most from published ones; empty if nothing was published for the same scenarios. */
    besidePublished: besidePublished(speedups),
    /** Conditions that have traces but cannot be explained, and why. */
    unexplained: [...unexplained].map(([condition, why]) => ({ condition, why })),
  };
}

interface Accounted {
  pageLoadMs: number;
  parts: PartsMs;
  floorMs: number | null;
}

const conditionOf = ([condition, all]: [Condition, Accounted[]]) => ({
  condition,
  loads: all.length,
  pageLoadMs: median(all.map(({ pageLoadMs }) => pageLoadMs)),
  floorMs: all[0]!.floorMs,
  /** With several loads, the parts' medians need not add up to the median page load time. */
  parts: partsOf((part) => median(all.map(({ parts }) => parts[part]))),
});

function speedupsOf(conditions: readonly ExplainedCondition[], base: Values, cases: Comparisons) {
  return Object.entries(cases).flatMap(([id, one]) => {
    return pairsOf(contrast(base, one), conditions).flatMap(({ scenario, baseline: from, option: to }) => {
      if (!from || !to) return [];
      const parts = partsOf((part) => from.parts[part] - to.parts[part]);
      const savedMs = from.pageLoadMs - to.pageLoadMs;
      return [{ comparison: id, title: one.title, scenario, base: from, option: to, savedMs, parts }];
    });
  });
}
