/** Computes a run's figures from its saved loads, without side effects. */
import type { Metric } from "../../metrics/metric.ts";
import { metrics } from "../../metrics/registry.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { comparable } from "../plan/comparable.ts";
import { type GridSpec, isGrid } from "../plan/comparisons.ts";
import type { FigureSpec } from "../plan/figures.ts";
import type { Published } from "../plan/published.ts";
import { geometricMean, mean } from "../statistics/averages.ts";
import { combine, type Estimate, interval95 } from "../statistics/estimate.ts";
import { resampleBlocks } from "../statistics/resample.ts";
import { parseStatistic } from "../statistics/statistic.ts";
import { type CountedLoad, countLoads, type Sample } from "../tables/counted.ts";
import type { RunFacts } from "../tables/report.ts";
import { captionOf } from "./caption.ts";
import type { DrawnExperiment, Figure, FigurePoint } from "./figure.ts";
import { grouped, type Place, placeKey, placing, sameKeys } from "./groups.ts";
import { type Measured, measure } from "./measure.ts";
import { modelPoints } from "./model-points.ts";
import { publishedPoints } from "./published-points.ts";
import { quantityKinds } from "./quantity.ts";
import { xAxisOf } from "./x-axis.ts";

export interface FigureFacts extends RunFacts {
  run: string;
  registries: Registries;
}

/** @param loads the run's loads, which are read once for each metric that figures name */
export function buildFigures(
  loads: Iterable<CountedLoad>,
  experiment: DrawnExperiment,
  specs: readonly FigureSpec[],
  published: Published | null,
  facts: FigureFacts,
): Figure[] {
  const counted = new Map<string, ReturnType<typeof countLoads>>();
  return specs.map((spec) => {
    const metric = spec.metric ?? experiment.metric;
    const own = counted.get(metric) ?? countLoads(loads, { ...facts, loadsPerCondition: experiment.loads, metric });
    counted.set(metric, own);
    return figureOf(spec, own, experiment, published, facts, metrics[metric]!);
  });
}

function figureOf(
  given: FigureSpec,
  { samples, counts }: ReturnType<typeof countLoads>,
  experiment: DrawnExperiment,
  published: Published | null,
  facts: FigureFacts,
  metric: Metric,
): Figure {
  const { conditions, whole = conditions } = facts;
  const { spec, table } = withTable(given, experiment);
  const { comparisons: present } = comparable(experiment, conditions);
  const shown = Object.fromEntries(Object.entries(present).filter(([id]) => spec.comparisons?.includes(id) ?? true));
  const resamples = resampleBlocks(samples.flatMap(({ byBlock }) => [...byBlock.keys()]));
  const groupsOf = (all: readonly Sample[]) =>
    grouped(measure(all, spec, experiment.baseline, shown, resamples), placing(spec, shown));
  const [groups, wholeGroups] = [groupsOf(samples), groupsOf(whole.map(emptySample))];
  const isWhole = (one: Place) => sameKeys(groups.get(placeKey(one))?.all, wholeGroups.get(placeKey(one))?.all);
  const places = [...groups.values()].map((group) => group.place);
  const x = xAxisOf(
    spec,
    places.map((one) => one.x),
  );
  const measured = [...groups.values()].map(({ place: at, all }) => pointOf(at, all, spec.quantity));
  const points = [
    ...measured,
    ...publishedPoints(table, published, [...groups.values()], isWhole),
    ...modelPoints(spec, x, [...groups.values()], facts.registries),
  ];
  const kind = quantityKinds[spec.quantity];
  return {
    id: spec.id,
    drawn: "points",
    title: spec.title,
    caption: captionOf(experiment, shown, spec, measured, counts, facts),
    x,
    y: {
      title: kind.title(`${parseStatistic(spec.statistic)!.title} ${metric.title}`),
      unit: kind.unit(metric.unit),
      neutral: kind.neutral,
      fromZero: spec.quantity !== "speedup",
    },
    panels: [...new Set(places.map(({ panel }) => panel))],
    series: [...new Set(places.map(({ series }) => series))],
    publishedSource: points.some(({ source }) => source === "published") ? (published?.source ?? null) : null,
    points,
  };
}

/** Returns the table that the figure shows (or null), and the figure's spec with the comparison and the filter of this table. */
function withTable(spec: FigureSpec, { tables }: DrawnExperiment): { spec: FigureSpec; table: GridSpec | null } {
  const table = tables.find(({ id }) => id === spec.table);
  if (!table || !isGrid(table)) return { spec, table: null };
  return { spec: { ...spec, comparisons: [table.comparison], ...(table.where ? { where: table.where } : {}) }, table };
}

const emptySample = (condition: Condition): Sample => ({ condition, byBlock: new Map(), flagged: 0, planned: 0 });

/** Returns the point at a place: the mean of the place's numbers, or their geometric mean if they are speedups. */
function pointOf(place: Place, all: readonly Measured[], quantity: FigureSpec["quantity"]): FigurePoint {
  const estimates = all.flatMap(({ estimate }) => estimate ?? []);
  const meanOf = quantity === "speedup" ? geometricMean : mean;
  const estimate = estimates.length > 1 ? combine(estimates, meanOf) : estimates[0];
  const isPositive = quantity === "speedup" || (quantity === "value" && estimates.length === 1);
  const y = estimate && pointAt(estimate);
  const scale = isPositive && y && y > 0 ? "logarithm" : "linear";
  const interval = estimate && Number.isFinite(y) ? interval95(estimate, scale) : null;
  const sum = (of: (one: Measured) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    source: "measured",
    model: "",
    ...place,
    y: y ?? null,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    scenarios: estimates.length,
    plannedScenarios: all.length,
    loads: sum(({ loads }) => loads),
    plannedLoads: sum(({ plannedLoads }) => plannedLoads),
    flaggedLoads: sum(({ flaggedLoads }) => flaggedLoads),
  };
}

/** Returns the number to draw: Infinity if only a bound is known, because a figure cannot show bounds. */
const pointAt = ({ least, most }: Estimate): number => (least.value === most.value ? most.value : Infinity);
