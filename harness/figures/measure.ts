/** Computes the numbers whose means are a figure's points: one for each condition, or one for each comparison and scenario. */
import type { Values } from "../../schema/plan.ts";
import { type Comparisons, contrast } from "../plan/comparisons.ts";
import type { FigureSpec } from "../plan/figures.ts";
import { combine, type Estimate } from "../statistics/estimate.ts";
import type { Resamples } from "../statistics/resample.ts";
import { parseStatistic } from "../statistics/statistic.ts";
import { loadCounts, type Sample } from "../tables/counted.ts";
import { pairsOf, passes, scenarioKey } from "../tables/scenario.ts";
import { quantityKinds } from "./quantity.ts";

export interface Measured {
  /** Null if a side has no loads. */
  estimate: Estimate | null;
  /** Identifies the number: the same number in another run has the same key. */
  key: string;
  /** The axis values of the condition, or of the comparison's option. They determine the number's place in the figure. */
  values: Values;
  baseValues: Values | null;
  comparison: string | null;
  loads: number;
  plannedLoads: number;
  flaggedLoads: number;
}

/** @param shown the figure's comparisons */
export function measure(
  samples: readonly Sample[],
  { quantity, statistic: named, where = {} }: FigureSpec,
  baseline: Values,
  shown: Comparisons,
  resamples: Resamples,
): Measured[] {
  const statistic = parseStatistic(named)!;
  const ofSamples = new Map<Sample, Estimate>();
  const estimateOf = (sample: Sample): Estimate => {
    const known = ofSamples.get(sample) ?? statistic.estimate([sample], resamples);
    ofSamples.set(sample, known);
    return known;
  };
  const measured = (key: string, comparison: string | null, option: Sample, base?: Sample): Measured => {
    const sides = base ? [base, option] : [option];
    return {
      ...{ key, comparison, values: option.condition.values, baseValues: base?.condition.values ?? null },
      ...loadCounts(sides),
      estimate: numberOf(sides),
    };
  };
  const numberOf = (sides: readonly Sample[]): Estimate | null => {
    if (sides.some(({ byBlock }) => byBlock.size === 0)) return null;
    const { of, falls } = quantityKinds[quantity];
    const both = [sides[0]!, sides.at(-1)!].map(estimateOf);
    return combine(both, ([baseline = 0, option = 0]) => of(baseline, option), falls ? [1] : []);
  };
  if (quantity === "value")
    return samples.flatMap((sample) => {
      const { id, values } = sample.condition;
      return passes(values, where) ? [measured(id, null, sample)] : [];
    });
  return Object.entries(shown).flatMap(([id, one]) =>
    pairsOf(contrast(baseline, one), samples).flatMap(({ scenario, baseline: base, option }) => {
      if (!base || !option || !passes(option.condition.values, where)) return [];
      return [measured(`${id} ${scenarioKey(scenario)}`, id, option, base)];
    }),
  );
}
