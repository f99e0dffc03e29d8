/** The summary of cases (the paper's Table 11): a column a case. */

import type { Comparisons, SummarySpec } from "../../plan/comparisons.ts";
import { type Published, type PublishedCase, publishedCase } from "../../plan/published.ts";
import type { Interval } from "../../statistics/resample.ts";
import type { ResampledGain } from "./gains.ts";
import { notation } from "./notation.ts";
import { passes, type Setting, sameSettings } from "./setting.ts";
import { type Basis, basisOf, statisticsOf } from "./statistics.ts";

/** The best or worst gain, and the setting it came from in the paper's notation. */
export interface Extreme {
  gain: number;
  condition: string;
}

/** Settings with at least some gain, of those that have one. */
export interface Share {
  count: number;
  of: number;
}

export interface CaseSummary extends Basis {
  case: string;
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
  published: PublishedCase | null;
}

export interface SummaryTable {
  kind: "summary";
  id: string;
  title: string;
  subset: NonNullable<SummarySpec["subset"]>;
  cases: CaseSummary[];
}

/** @param gainsByCase the gains of every case that the table names */
export function summaryTable(
  spec: SummarySpec,
  cases: Comparisons,
  gainsByCase: ReadonlyMap<string, readonly ResampledGain[]>,
  published: Published | null,
  whole: ReadonlyMap<string, readonly Setting[]> = new Map(),
): SummaryTable {
  const { id, title, subset = {}, notation: named } = spec;
  const columns = spec.summary.map((caseId): CaseSummary => {
    const gains = gainsByCase.get(caseId) ?? [];
    const inSubset = gains.filter(({ setting }) => passes(setting, subset));
    const own = gains.map(({ setting }) => setting);
    const same = sameSettings(own, whole.get(caseId) ?? own);
    const all = statisticsOf(gains);
    const part = statisticsOf(inSubset);
    return {
      case: caseId,
      title: cases[caseId]?.title ?? caseId,
      ...basisOf(gains),
      best: all && extreme(gains, all.max, named),
      average: all?.mean ?? null,
      geometricMean: all?.geometricMean ?? null,
      interval: all?.interval ?? null,
      worst: all && extreme(gains, all.min, named),
      atLeast1: atLeast(gains, 1),
      atLeast2: atLeast(gains, 2),
      subsetAverage: part?.mean ?? null,
      subsetGeometricMean: part?.geometricMean ?? null,
      subsetInterval: part?.interval ?? null,
      subsetBasis: basisOf(inSubset),
      published: same ? publishedCase(published, id, caseId) : null,
    };
  });
  return { kind: "summary", id, title, subset, cases: columns };
}

function extreme(gains: readonly ResampledGain[], value: number, named: readonly string[]): Extreme {
  return { gain: value, condition: notation(gains, gains.find(({ gain }) => gain === value)!, named) };
}

/** On the exact gains: 0.96 is not "at least 1", although it prints as 1.0. */
const atLeast = (gains: readonly ResampledGain[], threshold: number): Share => ({
  count: gains.filter(({ gain }) => gain !== null && gain >= threshold).length,
  of: gains.filter(({ gain }) => gain !== null).length,
});
