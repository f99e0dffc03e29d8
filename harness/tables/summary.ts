/** The summary of comparisons (the paper's Table 11): a column for each comparison. */

import type { Comparisons, SummarySpec } from "../plan/comparisons.ts";
import { type Published, publishedComparison } from "../plan/published.ts";
import type { Bound } from "../statistics/estimate.ts";
import { notation } from "./notation.ts";
import { passes, type Scenario, sameScenarios } from "./scenario.ts";
import type { ResampledSpeedup } from "./speedups.ts";
import { basisOf, statisticsOf } from "./statistics.ts";

/** The best or worst speedup, and its scenario in the paper's notation. */
export interface Extreme {
  speedup: number;
  bound: Bound | null;
  condition: string;
}

/** How many of the scenarios that have loads of both sides reach a speedup. */
export interface Share {
  count: number;
  of: number;
  /** Scenarios that may or may not reach the speedup, because loads never ended. */
  undecided: number;
}

export type SummaryTable = ReturnType<typeof summaryTable>;
export type ComparisonSummary = SummaryTable["comparisons"][number];

export function summaryTable(
  spec: SummarySpec,
  comparisons: Comparisons,
  speedupsByComparison: ReadonlyMap<string, readonly ResampledSpeedup[]>,
  published: Published | null,
  whole: ReadonlyMap<string, readonly Scenario[]> = new Map(),
) {
  const { id, title, subset = {}, notation: named } = spec;
  const columns = spec.summary.map((comparisonId) => {
    const speedups = speedupsByComparison.get(comparisonId) ?? [];
    const inSubset = speedups.filter(({ scenario }) => passes(scenario, subset));
    const own = speedups.map(({ scenario }) => scenario);
    const same = sameScenarios(own, whole.get(comparisonId) ?? own);
    const all = statisticsOf(speedups);
    const part = statisticsOf(inSubset);
    return {
      comparison: comparisonId,
      title: comparisons[comparisonId]?.title ?? comparisonId,
      ...basisOf(speedups),
      /** This speedup and the other speedups below are null if no scenario has loads of both sides. */
      best: all && extreme(speedups, all, "max", named),
      average: all?.mean ?? null,
      geometricMean: all?.geometricMean ?? null,
      interval: all?.interval ?? null,
      bounds: all?.bounds ?? {},
      worst: all && extreme(speedups, all, "min", named),
      atLeast1: atLeast(speedups, 1),
      atLeast2: atLeast(speedups, 2),
      subsetAverage: part?.mean ?? null,
      subsetGeometricMean: part?.geometricMean ?? null,
      subsetInterval: part?.interval ?? null,
      subsetBounds: part?.bounds ?? {},
      subsetBasis: basisOf(inSubset),
      published: same ? publishedComparison(published, id, comparisonId) : null,
    };
  });
  return { kind: "summary" as const, id, title, subset, comparisons: columns };
}

function extreme(
  speedups: readonly ResampledSpeedup[],
  all: NonNullable<ReturnType<typeof statisticsOf>>,
  which: "max" | "min",
  named: readonly string[],
): Extreme | null {
  const value = all[which];
  const own = speedups.find(({ speedup }) => speedup === value);
  if (value === null || !own) return null;
  return { speedup: value, bound: all.bounds[which] ?? null, condition: notation(speedups, own, named) };
}

/** Uses the exact speedups: 0.96 is not "at least 1", although it is printed as 1.0. */
function atLeast(speedups: readonly ResampledSpeedup[], threshold: number): Share {
  const estimates = speedups.flatMap(({ estimate }) => estimate ?? []);
  const counted = (end: "least" | "most") => estimates.filter((one) => one[end].value >= threshold).length;
  return { count: counted("least"), of: estimates.length, undecided: counted("most") - counted("least") };
}
