/** A table like those of CCR 2010: a statistic of the baseline's loads and of each option's, and by how much the option is better. */
import { labelOf, textOf } from "../../../axes/axis.ts";
import { axisNamed } from "../../../axes/registry.ts";
import { metrics } from "../../../metrics/registry.ts";
import type { AxisValue, Values } from "../../../schema/plan.ts";
import type { Comparisons, DifferencesSpec } from "../../plan/comparisons.ts";
import { combine, interval95 } from "../../statistics/estimate.ts";
import type { Interval, Resamples } from "../../statistics/resample.ts";
import { parseStatistic, type Statistic } from "../../statistics/statistic.ts";
import type { Sample } from "./counted.ts";
import { sideLabel } from "./medians.ts";
import { contrast, type Pair, pairsOf, passes } from "./scenario.ts";

export type DifferencesTable = ReturnType<typeof differencesTable>;
export type DifferenceCell = ReturnType<typeof cellOf>;

/** @param samples the loads by the table's own metric */
export function differencesTable(
  { id, title, differences, rows, statistics, where = {}, metric }: DifferencesSpec & { metric: string },
  baseline: Values,
  comparisons: Comparisons,
  samples: readonly Sample[],
  resamples: Resamples,
) {
  const pairs = new Map(
    differences.map((one) => [
      one,
      pairsOf(contrast(baseline, comparisons[one]!), samples).filter(({ scenario }) => passes(scenario, where)),
    ]),
  );
  const axis = rows === undefined ? null : axisNamed(rows, "table");
  const all = [...pairs.values()].flat();
  const values = axis ? [...new Set(all.map(({ scenario }) => scenario[axis.name]!))] : [null];
  const several = statistics.length > 1 || !axis;
  const rowOf = (value: AxisValue | null, name: string) => {
    const statistic = parseStatistic(name)!;
    const named = axis && value !== null ? { text: textOf(axis, value), label: labelOf(axis, value) } : null;
    /** The name of a row: "70ms", "mean", "70ms mean". */
    const key = [...(named ? [named.text] : []), ...(several ? [name] : [])].join(" ");
    const cellFor = (one: string) => {
      const own = pairs.get(one)!.filter(({ scenario }) => value === null || scenario[axis!.name] === value);
      return cellOf(one, own, statistic, metric, resamples);
    };
    const labels = [...(named ? [named.label] : []), ...(several ? [statistic.title] : [])];
    return { key, labels, cells: differences.map(cellFor) };
  };
  return {
    ...{ kind: "differences" as const, id, title },
    metric: metrics[metric]?.title ?? metric,
    unit: metrics[metric]?.unit ?? "",
    baseline: sideLabel(baseline),
    columns: differences.map((one) => ({ comparison: one, title: comparisons[one]!.title })),
    /** The heading of the labels: an axis, statistics, or both. */
    heads: [...(axis ? [axis.name] : []), ...(several ? ["statistic"] : [])],
    rows: values.flatMap((value) => statistics.map((name) => rowOf(value, name))),
  };
}

type WholePair = Pair<Sample> & { baseline: Sample; option: Sample };
const isWhole = (pair: Pair<Sample>): pair is WholePair =>
  Boolean(pair.baseline?.byBlock.size && pair.option?.byBlock.size);

function cellOf(
  comparisonId: string,
  pairs: readonly Pair<Sample>[],
  statistic: Statistic,
  metric: string,
  resamples: Resamples,
) {
  const whole = pairs.filter(isWhole);
  const sign = metrics[metric]?.moreIsBetter ? -1 : 1;
  const better = (baseline: number, option: number) =>
    baseline === 0 ? NaN : (sign * 100 * (baseline - option)) / baseline;
  const sides = [whole.map(({ baseline }) => baseline), whole.map(({ option }) => option)];
  const summedUp = (samples: Sample[]) => statistic.of(samples.flatMap(({ byBlock }) => [...byBlock.values()]));
  const [baseline, option] = whole.length ? sides.map(summedUp) : [];
  const sum = (of: (sample: Sample) => number) =>
    pairs
      .flatMap((pair) => [pair.baseline, pair.option])
      .reduce((total, sample) => total + (sample ? of(sample) : 0), 0);
  const betterPercent = baseline == null || option == null ? Number.NaN : better(baseline, option);
  return {
    comparison: comparisonId,
    /** The statistic over all loads of the scenarios that have both sides; null without any. */
    baseline: baseline ?? null,
    option: option ?? null,
    /** Above 0, the option is better. */
    betterPercent: Number.isFinite(betterPercent) ? betterPercent : null,
    interval: intervalOf(whole, statistic, resamples, better),
    scenarios: whole.length,
    plannedScenarios: pairs.length,
    loads: sum(({ byBlock }) => byBlock.size),
    plannedLoads: sum(({ planned }) => planned),
    flaggedLoads: sum(({ flagged }) => flagged),
  };
}

/** The interval of the improvement. In each resample both sides have the same blocks. */
function intervalOf(
  pairs: readonly WholePair[],
  statistic: Statistic,
  resamples: Resamples,
  better: (baseline: number, option: number) => number,
): Interval | null {
  if (pairs.length === 0) return null;
  const sides = [pairs.map(({ baseline }) => baseline), pairs.map(({ option }) => option)];
  const loads = Math.min(...sides.map((side) => side.reduce((sum, { byBlock }) => sum + byBlock.size, 0)));
  if (statistic.tooFewLoads(loads)) return null;
  const ratio = combine(
    sides.map((samples) => statistic.estimate(samples, resamples)),
    ([baseline = 0, option = 0]) => option / baseline,
  );
  const interval = interval95(ratio, "logarithm");
  const ends = interval && [better(1, interval.low), better(1, interval.high)];
  return ends && { low: Math.min(...ends), high: Math.max(...ends) };
}
