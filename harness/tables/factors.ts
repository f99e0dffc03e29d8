/** A table of two factors: a cell has a statistic of loads with the cell's two axis values, or the speedup of the option with these values. */
import { labelOf } from "../../axes/axis.ts";
import { axisNamed } from "../../axes/registry.ts";
import { metrics } from "../../metrics/registry.ts";
import type { AxisValue, Values } from "../../schema/plan.ts";
import { type Comparisons, contrast, type FactorsSpec } from "../plan/comparisons.ts";
import { geometricMean, mean } from "../statistics/averages.ts";
import { boundedValue, combine, type Estimate, interval95, ratioOf } from "../statistics/estimate.ts";
import type { Resamples } from "../statistics/resample.ts";
import { parseStatistic, type Statistic } from "../statistics/statistic.ts";
import { loadCounts, type Sample, valuesIn } from "./counted.ts";
import { pairsOf, passes } from "./scenario.ts";

export type FactorsTable = ReturnType<typeof factorsTable>;
export type FactorsCell = ReturnType<typeof cellOf>;

interface Placed {
  /** The only sample of a value, or the baseline and the option of a speedup. */
  sides: readonly Sample[];
  /** The axis values of the last sample in `sides`, which determine the row and the column. */
  place: Values;
}

/** @param samples the loads, measured by the table's own metric */
export function factorsTable(
  { id, title, cells, rows, columns, comparisons: shown = [], statistic: named, where = {}, metric }: Asked,
  baseline: Values,
  comparisons: Comparisons,
  samples: readonly Sample[],
  resamples: Resamples,
) {
  const statistic = parseStatistic(named)!;
  const pairs = shown.flatMap((one) => pairsOf(contrast(baseline, comparisons[one]!), samples));
  const placed: Placed[] = (
    cells === "value"
      ? samples.map((sample) => [sample])
      : pairs.flatMap((pair) => (pair.baseline && pair.option ? [[pair.baseline, pair.option]] : []))
  )
    .map((sides) => ({ sides, place: sides.at(-1)!.condition.values }))
    .filter(({ place }) => passes(place, where));
  const compared = placed.flatMap(({ sides }) => (sides.length > 1 ? [sides[0]!.condition.values] : []));
  const [rowLines, columnLines] = [rows, columns].map((name) =>
    linesOf(name, [...compared, ...placed.map(({ place }) => place)], samples),
  );
  const isAt = (place: Values, row: AxisValue, column: AxisValue) => place[rows] === row && place[columns] === column;
  const cellAt = (row: AxisValue, column: AxisValue) => ({
    row: String(row),
    column: String(column),
    isBaseline: compared.some((place) => isAt(place, row, column)),
    ...cellOf(
      placed.filter(({ place }) => isAt(place, row, column)),
      statistic,
      resamples,
    ),
  });
  return {
    ...{ kind: "factors" as const, id, title, cells, where },
    axes: { rows, columns },
    statistic: statistic.title,
    metric: metrics[metric]?.title ?? metric,
    unit: metrics[metric]?.unit ?? "",
    columns: columnLines!.map(({ key, label }) => ({ key, label })),
    rows: rowLines!.map(({ key, label, value }) => ({
      key,
      label,
      cells: columnLines!.map((column) => cellAt(value, column.value)),
    })),
  };
}
type Asked = FactorsSpec & { metric: string };

/** Returns the values of an axis that occur in these places, in the order of the run's conditions. */
function linesOf(name: string, places: readonly Values[], samples: readonly Sample[]) {
  const axis = axisNamed(name, "table");
  const present = new Set(places.map((place) => place[name]));
  const values = new Set(samples.map(({ condition }) => (condition.values as Values)[name]!));
  return [...values]
    .filter((value) => present.has(value))
    .map((value) => ({ value, key: String(value), label: labelOf(axis, value) }));
}

/** A cell of several scenarios has the geometric mean of their speedups, or the mean of their values. */
function cellOf(all: readonly Placed[], statistic: Statistic, resamples: Resamples) {
  const isSpeedup = all.some(({ sides }) => sides.length > 1);
  const whole = all.filter(({ sides }) => sides.every(({ byBlock }) => byBlock.size > 0));
  const estimates = whole.map(({ sides }) => {
    const [first, second] = sides.map((side) => statistic.estimate([side], resamples)) as [Estimate, Estimate?];
    return second ? ratioOf(first, second) : first;
  });
  const estimate = estimates.length > 1 ? combine(estimates, isSpeedup ? geometricMean : mean) : estimates[0];
  const scale = isSpeedup || estimates.length === 1 ? "logarithm" : "linear";
  const { value, bound } = estimate ? boundedValue(estimate, scale) : { value: null, bound: null };
  const fewest = Math.min(...whole.flatMap(({ sides }) => sides.map((side) => valuesIn([side]))));
  const hasInterval = estimate && value !== null && Number.isFinite(value) && statistic.tooFewLoads(fewest) === null;
  return {
    /** null without loads; a bound if it is computed from loads that never ended. */
    value,
    bound,
    interval: hasInterval ? interval95(estimate, scale) : null,
    scenarios: whole.length,
    plannedScenarios: all.length,
    endlessScenarios: estimates.filter(({ least, most }) => least.value !== most.value).length,
    ...loadCounts(all.flatMap(({ sides }) => sides)),
  };
}
