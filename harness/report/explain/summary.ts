/** Where the time of a run's conditions goes, and which parts make a comparison's speedup. */
import { median } from "simple-statistics";
import type { Condition, Values } from "../../../schema/plan.ts";
import { whyUnexplained } from "../../explain/account.ts";
import type { ExplainedLoad } from "../../explain/explained.ts";
import { type Part, partNames } from "../../explain/parts.ts";
import type { ComparedExperiment, Comparisons } from "../../plan/comparisons.ts";
import { contrast, pairsOf, type Scenario } from "../tables/scenario.ts";

export type PartsMs = Record<Part, number>;

/** A condition's loads that have an account. */
export interface ExplainedCondition {
  condition: Condition;
  loads: number;
  pageLoadMs: number;
  /** The least that physics and the protocol's rules allow; null where it is not known. */
  floorMs: number | null;
  /** Medians, each of its own: of several loads they need not add up. */
  parts: PartsMs;
}

/** What an option saves in one scenario, by parts: negative for what it loses. */
export interface ExplainedSpeedup {
  comparison: string;
  title: string;
  scenario: Scenario;
  base: ExplainedCondition;
  option: ExplainedCondition;
  savedMs: number;
  parts: PartsMs;
}

/** A table's speedup for which one was published (beside-published.ts). */
export interface SpeedupBesidePublished {
  table: string;
  /** The cell, or the scenario that the source names. */
  where: string;
  scenarios: number;
  /** The mean of its scenarios' speedups. */
  ours: number;
  published: number;
  /** What the speedup would be if the option took no longer than its floor; null where that is not known. */
  most: number | null;
  /** What each part adds to a speedup of 1: what it saves, as a share of the option's time, on average over the scenarios. */
  parts: PartsMs;
}

export interface Explanation {
  conditions: ExplainedCondition[];
  speedups: ExplainedSpeedup[];
  /** Those that differ most; none where nothing was published, or nothing of the same scenarios. */
  besidePublished: SpeedupBesidePublished[];
  /** Conditions without an account although they have traces, and why. */
  unexplained: { condition: string; why: string }[];
}

export function explanationOf(
  loads: Iterable<Pick<ExplainedLoad, "condition" | "load" | "account" | "floor" | "trace">>,
  { baseline: base, comparisons: cases }: Pick<ComparedExperiment, "baseline" | "comparisons">,
  besidePublished: (speedups: readonly ExplainedSpeedup[]) => SpeedupBesidePublished[] = () => [],
): Explanation {
  const byCondition = new Map<Condition, { pageLoadMs: number; parts: PartsMs; floorMs: number | null }[]>();
  const unexplained = new Map<string, string>();
  for (const { condition, load, account, floor, trace } of loads) {
    if (!account) unexplained.set(condition.id, whyUnexplained(trace));
    else
      byCondition.set(condition, [
        ...(byCondition.get(condition) ?? []),
        { parts: account.parts, pageLoadMs: load.pageLoadMs, floorMs: floor?.ms ?? null },
      ]);
  }
  const conditions = [...byCondition].map(([condition, all]) => ({
    condition,
    loads: all.length,
    pageLoadMs: median(all.map(({ pageLoadMs }) => pageLoadMs)),
    floorMs: all[0]!.floorMs,
    parts: partsOf((part) => median(all.map(({ parts }) => parts[part]))),
  }));
  const speedups = speedupsOf(conditions, base, cases);
  return {
    conditions,
    speedups,
    besidePublished: besidePublished(speedups),
    unexplained: [...unexplained].map(([condition, why]) => ({ condition, why })),
  };
}

export const partsOf = (of: (part: Part) => number) =>
  Object.fromEntries(partNames.map((part) => [part, of(part)])) as PartsMs;

function speedupsOf(conditions: readonly ExplainedCondition[], base: Values, cases: Comparisons): ExplainedSpeedup[] {
  return Object.entries(cases).flatMap(([id, one]) => {
    return pairsOf(contrast(base, one), conditions).flatMap(({ scenario, baseline: from, option: to }) => {
      if (!from || !to) return [];
      const parts = partsOf((part) => from.parts[part] - to.parts[part]);
      const savedMs = from.pageLoadMs - to.pageLoadMs;
      return [{ comparison: id, title: one.title, scenario, base: from, option: to, savedMs, parts }];
    });
  });
}
