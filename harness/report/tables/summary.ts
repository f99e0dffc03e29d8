/** The summary of comparisons (the paper's Table 11): a column a comparison. */

import type { Comparisons, SummarySpec } from "../../plan/comparisons.ts";
import { type Published, type PublishedComparison, publishedComparison } from "../../plan/published.ts";
import type { Interval } from "../../statistics/resample.ts";
import { notation } from "./notation.ts";
import { passes, type Scenario, sameScenarios } from "./scenario.ts";
import type { ResampledSpeedup } from "./speedups.ts";
import { type Basis, basisOf, statisticsOf } from "./statistics.ts";

/** The best or worst speedup, and the scenario it came from in the paper's notation. */
export interface Extreme {
  speedup: number;
  condition: string;
}

/** Scenarios with at least some speedup, of those that have one. */
export interface Share {
  count: number;
  of: number;
}

export interface ComparisonSummary extends Basis {
  comparison: string;
  title: string;
  /** Null without data, as all below. */
  best: Extreme | null;
  average: number | null;
  geometricMean: number | null;
  interval: Interval | null;
  worst: Extreme | null;
  atLeast1: Share;
  atLeast2: Share;
  /** The average over the table's subset, and what stands behind it. */
  subsetAverage: number | null;
  subsetGeometricMean: number | null;
  subsetInterval: Interval | null;
  subsetBasis: Basis;
  published: PublishedComparison | null;
}

export interface SummaryTable {
  kind: "summary";
  id: string;
  title: string;
  subset: NonNullable<SummarySpec["subset"]>;
  comparisons: ComparisonSummary[];
}

/** @param speedupsByComparison the speedups of every comparison that the table names */
export function summaryTable(
  spec: SummarySpec,
  comparisons: Comparisons,
  speedupsByComparison: ReadonlyMap<string, readonly ResampledSpeedup[]>,
  published: Published | null,
  whole: ReadonlyMap<string, readonly Scenario[]> = new Map(),
): SummaryTable {
  const { id, title, subset = {}, notation: named } = spec;
  const columns = spec.summary.map((comparisonId): ComparisonSummary => {
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
      best: all && extreme(speedups, all.max, named),
      average: all?.mean ?? null,
      geometricMean: all?.geometricMean ?? null,
      interval: all?.interval ?? null,
      worst: all && extreme(speedups, all.min, named),
      atLeast1: atLeast(speedups, 1),
      atLeast2: atLeast(speedups, 2),
      subsetAverage: part?.mean ?? null,
      subsetGeometricMean: part?.geometricMean ?? null,
      subsetInterval: part?.interval ?? null,
      subsetBasis: basisOf(inSubset),
      published: same ? publishedComparison(published, id, comparisonId) : null,
    };
  });
  return { kind: "summary", id, title, subset, comparisons: columns };
}

function extreme(speedups: readonly ResampledSpeedup[], value: number, named: readonly string[]): Extreme {
  return { speedup: value, condition: notation(speedups, speedups.find(({ speedup }) => speedup === value)!, named) };
}

/** On the exact speedups: 0.96 is not "at least 1", although it prints as 1.0. */
const atLeast = (speedups: readonly ResampledSpeedup[], threshold: number): Share => ({
  count: speedups.filter(({ speedup }) => speedup !== null && speedup >= threshold).length,
  of: speedups.filter(({ speedup }) => speedup !== null).length,
});
