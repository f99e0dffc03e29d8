/** The numbers that a figure's points are the means of: one a condition, or one a comparison and scenario. */
import type { Values } from "../../../schema/plan.ts";
import type { Comparisons, Filter } from "../../plan/comparisons.ts";
import { interval95 } from "../../statistics/estimate.ts";
import type { Interval, Redraws } from "../../statistics/resample.ts";
import type { Statistic } from "../../statistics/statistic.ts";
import type { Sample } from "../tables/counted.ts";
import { contrast, type Pair, pairsOf, passes, scenarioKey } from "../tables/scenario.ts";
import { comparisons, type Quantity } from "./quantity.ts";

/** One number, and what stands behind it. */
export interface Measured {
  /** Its value in every resample; null where it has no interval. */
  resampled: Float64Array | null;
  interval: Interval | null;
  blocks: number;
  /** The same for the same numbers of two runs. */
  key: string;
  /** Of the condition, or of the comparison's option: where it stands in the figure. */
  values: Values;
  /** Of the comparison's baseline. */
  baseValues: Values | null;
  comparison: string | null;
  value: number | null;
  loads: number;
  plannedLoads: number;
  flaggedLoads: number;
}

export interface Asked {
  quantity: Quantity;
  statistic: Statistic;
  base: Values;
  /** Those that are shown. */
  comparisons: Comparisons;
  where: Filter;
}

/** In the order of the samples. @param redraws of the run's blocks */
export function measure(samples: readonly Sample[], asked: Asked, redraws: Redraws): Measured[] {
  const { quantity, statistic, where } = asked;
  const redrawn = new Map<Sample, Float64Array>();
  const redrawnOf = (sample: Sample): Float64Array => {
    const known = redrawn.get(sample) ?? statistic.estimate([sample], redraws).resampled;
    redrawn.set(sample, known);
    return known;
  };
  if (quantity === "value")
    return samples
      .filter(({ condition }) => passes(condition.values, where))
      .map((sample) => ofCondition(sample, statistic, redrawnOf));
  return Object.entries(asked.comparisons).flatMap(([id, one]) =>
    pairsOf(contrast(asked.base, one), samples)
      .filter(({ baseline, option }) => baseline && option && passes(option.condition.values, where))
      .map((pair) => comparisonOf(id, pair as Required<Pair<Sample>>, quantity, statistic, redrawnOf)),
  );
}

type RedrawnOf = (sample: Sample) => Float64Array;

function ofCondition(sample: Sample, statistic: Statistic, redrawnOf: RedrawnOf): Measured {
  const { condition, byBlock, planned, flagged } = sample;
  const value = byBlock.size ? statistic.of([...byBlock.values()]) : null;
  return {
    key: condition.id,
    values: condition.values,
    baseValues: null,
    comparison: null,
    loads: byBlock.size,
    plannedLoads: planned,
    flaggedLoads: flagged,
    value,
    blocks: byBlock.size,
    ...intervalOf(value, value === null ? null : redrawnOf(sample), byBlock.size, "logarithm"),
  };
}

function comparisonOf(
  comparisonId: string,
  { scenario, baseline: base, option }: Required<Pair<Sample>>,
  quantity: Exclude<Quantity, "value">,
  statistic: Statistic,
  redrawnOf: RedrawnOf,
): Measured {
  const { of, scale } = comparisons[quantity];
  const sides = [base, option];
  const blocks = Math.min(...sides.map(({ byBlock }) => byBlock.size));
  const value = blocks
    ? of(...(sides.map(({ byBlock }) => statistic.of([...byBlock.values()])) as [number, number]))
    : null;
  const redrawnOption = redrawnOf(option);
  const { interval, resampled } = intervalOf(
    value,
    blocks ? redrawnOf(base).map((one, draw) => of(one, redrawnOption[draw]!)) : null,
    blocks,
    scale,
  );
  return {
    key: `${comparisonId} ${scenarioKey(scenario)}`,
    values: option.condition.values,
    baseValues: base.condition.values,
    comparison: comparisonId,
    loads: base.byBlock.size + option.byBlock.size,
    plannedLoads: base.planned + option.planned,
    flaggedLoads: base.flagged + option.flagged,
    value,
    blocks,
    interval,
    resampled,
  };
}

/** Resamples that make no interval, being too few, make none of a mean either. */
function intervalOf(
  value: number | null,
  resampled: Float64Array | null,
  blocks: number,
  scale: "logarithm" | "linear",
): Pick<Measured, "interval" | "resampled"> {
  const interval =
    resampled && value !== null ? interval95({ value, resampled, blocks }, value > 0 ? scale : "linear") : null;
  return { interval, resampled: interval && resampled };
}
