/** The numbers whose means are a figure's points: one for each condition, or one for each comparison and scenario. */
import type { Values } from "../../../schema/plan.ts";
import type { Comparisons } from "../../plan/comparisons.ts";
import type { FigureSpec } from "../../plan/figures.ts";
import { interval95 } from "../../statistics/estimate.ts";
import type { Interval, Resamples } from "../../statistics/resample.ts";
import { parseStatistic } from "../../statistics/statistic.ts";
import type { Sample } from "../tables/counted.ts";
import { contrast, pairsOf, passes, scenarioKey } from "../tables/scenario.ts";
import { quantityKinds } from "./quantity.ts";

/** One number, with what it is computed from. */
export interface Measured {
  /** Its value in every resample; null if it has no interval. */
  resampled: Float64Array | null;
  interval: Interval | null;
  blocks: number;
  /** The same for the same numbers of two runs. */
  key: string;
  /** The values of the condition or of the comparison's option, which decide its place in the figure. */
  values: Values;
  /** The values of the comparison's baseline. */
  baseValues: Values | null;
  comparison: string | null;
  value: number | null;
  loads: number;
  plannedLoads: number;
  flaggedLoads: number;
}

/** In the order of the samples. @param shown the comparisons @param resamples of the run's blocks */
export function measure(
  samples: readonly Sample[],
  { quantity, statistic: named, where = {} }: FigureSpec,
  baseline: Values,
  shown: Comparisons,
  resamples: Resamples,
): Measured[] {
  const statistic = parseStatistic(named)!;
  const ofSamples = new Map<Sample, Float64Array>();
  const resampledOf = (sample: Sample): Float64Array => {
    const known = ofSamples.get(sample) ?? statistic.estimate([sample], resamples).resampled;
    ofSamples.set(sample, known);
    return known;
  };
  const measured = (key: string, comparison: string | null, option: Sample, base?: Sample): Measured => {
    const sides = base ? [base, option] : [option];
    const sum = (of: (side: Sample) => number) => sides.reduce((total, side) => total + of(side), 0);
    return {
      ...{ key, comparison, values: option.condition.values, baseValues: base?.condition.values ?? null },
      loads: sum(({ byBlock }) => byBlock.size),
      plannedLoads: sum(({ planned }) => planned),
      flaggedLoads: sum(({ flagged }) => flagged),
      ...numberOf(sides),
    };
  };
  const numberOf = (sides: readonly Sample[]): Pick<Measured, "value" | "resampled" | "interval" | "blocks"> => {
    const blocks = Math.min(...sides.map(({ byBlock }) => byBlock.size));
    if (blocks === 0) return { value: null, resampled: null, interval: null, blocks };
    const { of, scale } = quantityKinds[quantity];
    const [first, last] = [sides[0]!, sides.at(-1)!];
    const ofLoads = ({ byBlock }: Sample) => statistic.of([...byBlock.values()]);
    const value = of(ofLoads(first), ofLoads(last));
    const resampledLast = resampledOf(last);
    const resampled = resampledOf(first).map((one, draw) => of(one, resampledLast[draw]!));
    const interval = interval95({ value, resampled, blocks }, value > 0 ? scale : "linear");
    // If there are too few resamples for this number's interval, there are too few for the interval of a mean.
    return { value, resampled: interval && resampled, interval, blocks };
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
