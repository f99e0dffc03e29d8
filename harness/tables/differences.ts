/** A table as in CCR 2010 (docs/papers): a statistic of the baseline's and of each option's loads, and by how much the option is better. */
import { labelOf, textOf } from "../../axes/axis.ts";
import { axisNamed } from "../../axes/registry.ts";
import { metrics } from "../../metrics/registry.ts";
import type { AxisValue, Values } from "../../schema/plan.ts";
import { type Comparisons, contrast, type DifferencesSpec } from "../plan/comparisons.ts";
import { boundedValue, type Estimate, interval95, ratioOf } from "../statistics/estimate.ts";
import type { Resamples } from "../statistics/resample.ts";
import { parseStatistic, type Statistic } from "../statistics/statistic.ts";
import { loadCounts, type Sample, valuesIn } from "./counted.ts";
import { sideLabel } from "./medians.ts";
import { type Pair, pairsOf, passes } from "./scenario.ts";

export type DifferencesTable = ReturnType<typeof differencesTable>;
export type DifferenceCell = ReturnType<typeof cellOf>;

/** @param samples the loads, measured by the table's own metric */
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
    baseline: sideLabel(comparisons[differences[0]!]?.baseline ?? baseline),
    columns: differences.map((one) => ({ comparison: one, title: comparisons[one]!.title })),
    /** The headings of the label columns: an axis, "statistic", or both. */
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
  const sides = [whole.map(({ baseline }) => baseline), whole.map(({ option }) => option)] as const;
  const estimates = whole.length ? sides.map((samples) => statistic.estimate(samples, resamples)) : [];
  const [baseline, option] = estimates.map((one) => boundedValue(one, "logarithm"));
  const values = Math.min(...sides.map(valuesIn));
  const [base, other] = estimates;
  return {
    comparison: comparisonId,
    /** The statistic over all loads of scenarios with both sides; null without any; a bound if the statistic lies among loads that never ended. */
    baseline: baseline?.value ?? null,
    baselineBound: baseline?.bound ?? null,
    option: option?.value ?? null,
    optionBound: option?.bound ?? null,
    ...improvementOf(base && other ? ratioOf(other, base) : null, metric, statistic.tooFewLoads(values) === null),
    scenarios: whole.length,
    plannedScenarios: pairs.length,
    endlessScenarios: baseline?.bound || option?.bound ? whole.length : 0,
    ...loadCounts(pairs.flatMap((pair) => [pair.baseline ?? [], pair.option ?? []].flat())),
  };
}

const opposite = { "at least": "at most", "at most": "at least" } as const;

/** Computes by how many percent the option is better. @param ratio option / baseline; in each resample both sides have the same blocks */
function improvementOf(ratio: Estimate | null, metric: string, enoughLoads: boolean) {
  const isMoreBetter = metrics[metric]?.moreIsBetter ?? false;
  const better = (one: number) => (isMoreBetter ? 100 * (one - 1) : 100 * (1 - one));
  const { value, bound } = ratio ? boundedValue(ratio, "logarithm") : { value: null, bound: null };
  const interval = ratio && value !== null && enoughLoads ? interval95(ratio, "logarithm") : null;
  const ends = interval && [better(interval.low), better(interval.high)];
  return {
    betterPercent: value === null ? null : better(value),
    bound: bound && (isMoreBetter ? bound : opposite[bound]),
    interval: ends && { low: Math.min(...ends), high: Math.max(...ends) },
  };
}
