/** Summarises the speedups of a cell: maximum, mean and minimum, as in the paper, and the geometric mean. */
import { max, min } from "simple-statistics";
import { geometricMean, mean } from "../statistics/averages.ts";
import { type Bound, boundedValue, combine, interval95 } from "../statistics/estimate.ts";
import type { ResampledSpeedup } from "./speedups.ts";

export const isComplete = ({ scenarios, plannedScenarios, loads, plannedLoads }: Basis): boolean =>
  scenarios === plannedScenarios && loads >= plannedLoads;

export const cellStatistics = ["max", "mean", "min", "geometricMean"] as const;
export type CellStatistic = (typeof cellStatistics)[number];

const combined: Readonly<Record<CellStatistic, (values: number[]) => number>> = { max, mean, min, geometricMean };

/** Computes statistics over the scenarios that have loads of both sides. Returns null if there are no such scenarios. */
export function statisticsOf(speedups: readonly ResampledSpeedup[]) {
  const estimates = speedups.flatMap(({ estimate }) => estimate ?? []);
  if (estimates.length === 0) return null;
  const all = Object.fromEntries(
    cellStatistics.map((name) => {
      const of = (end: "least" | "most") => ({ value: combined[name](estimates.map((one) => one[end].value)) });
      return [name, boundedValue({ least: of("least"), most: of("most") }, "logarithm")];
    }),
  ) as Record<CellStatistic, ReturnType<typeof boundedValue>>;
  const numbers = Object.fromEntries(cellStatistics.map((name) => [name, all[name].value]));
  const bounds = cellStatistics.flatMap((name): [CellStatistic, Bound][] =>
    all[name].bound ? [[name, all[name].bound]] : [],
  );
  return {
    /** Each is null if unknown. Conclusions rest on the geometric mean: for 2 and 1/2 it is 1, whereas the arithmetic mean is 1.25. */
    ...(numbers as Record<CellStatistic, number | null>),
    /** The statistics that are only bounds, because loads of one side never ended. */
    bounds: Object.fromEntries(bounds) as Partial<Record<CellStatistic, Bound>>,
    /** 95% interval of the geometric mean; null if a speedup has too few loads for an interval. */
    interval: interval95(combine(estimates, geometricMean), "logarithm"),
  };
}

/** How many of the planned scenarios and loads a number is computed from. */
export type Basis = ReturnType<typeof basisOf>;
export function basisOf(speedups: readonly ResampledSpeedup[]) {
  return {
    /** Scenarios that have loads of both sides, and all scenarios. */
    scenarios: speedups.filter(({ estimate }) => estimate !== null).length,
    plannedScenarios: speedups.length,
    /** Scenarios whose speedup is only a bound or unknown, because at least half of a side's loads never ended. */
    endlessScenarios: speedups.filter(({ estimate }) => estimate && estimate.least.value !== estimate.most.value)
      .length,
    loads: speedups.reduce((sum, { baselineLoads, optionLoads }) => sum + baselineLoads + optionLoads, 0),
    plannedLoads: speedups.reduce((sum, { plannedLoads }) => sum + plannedLoads, 0),
    flaggedLoads: speedups.reduce((sum, { flaggedLoads }) => sum + flaggedLoads, 0),
  };
}
