/** Computes a claim's numbers from a run's loads, each with a 95% interval from a bootstrap over blocks. */
import { type AnyAxis, labelOf, textOf } from "../../axes/axis.ts";
import { axisNamed } from "../../axes/registry.ts";
import { metrics } from "../../metrics/registry.ts";
import { usageError } from "../../schema/errors.ts";
import { isCount, type Leaf, type Quantity } from "../plan/claims.ts";
import { type ComparedExperiment, type Contrast, contrast } from "../plan/comparisons.ts";
import { type Bound, boundedValue, differenceOf, ratioOf, type Scale } from "../statistics/estimate.ts";
import { type Interval, tooFewBlocks } from "../statistics/resample.ts";
import { parseStatistic, type Statistic } from "../statistics/statistic.ts";
import { type Sample, valuesIn } from "../tables/counted.ts";
import { pairsOf, passes, type Scenario } from "../tables/scenario.ts";
import { type MeasuredRun, otherRun } from "./measured-run.ts";
import { intervalOfPart, lessOf, overScenarios, type Part, quotientOf } from "./part.ts";

export interface ClaimedNumber {
  /** Identifies the number within its claim: a value of an axis, a comparison or a statistic; empty if the claim has only one number. */
  key: string;
  label: string;
  /** Null if unknown, and if a scenario of the number has no loads: an average over the other scenarios would be another quantity. */
  value: number | null;
  /** Set if a scenario of the number has no loads. If it is not set and `value` is null, too many loads never ended. */
  absent?: true;
  interval: Interval | null;
  /** Set if the value is only a lower or an upper bound, because loads did not end. */
  bound: Bound | null;
  /** Why the number has no interval; null if it has an interval. */
  noInterval: string | null;
  unit: string;
}

/**
 * @param misses the share of intervals that may miss the true value; smaller than 0.05 if many numbers are judged together
 * @throws LabError (usage) for a comparison that is missing or that the experiment does not have
 */
export function numbersOf(quantity: Quantity, run: MeasuredRun, misses = 0.05): ClaimedNumber[] {
  if (!("ratio" in quantity || "difference" in quantity))
    return partsOf(quantity, run).map((part) => numberOf(part, misses, quantity));
  const isRatio = "ratio" in quantity;
  const [first, second] = (isRatio ? quantity.ratio : quantity.difference).map((leaf) => partsOf(leaf, run));
  return first!.flatMap((one) => {
    const other = second!.length === 1 ? second![0] : second!.find(({ key }) => key === one.key);
    return other ? [numberOf(isRatio ? quotientOf(one, other) : lessOf(one, other), misses)] : [];
  });
}

function numberOf(part: Part, misses: number, leaf?: Leaf): ClaimedNumber {
  const { key, label, estimate, unit, tooFew } = part;
  const saved = leaf?.of === "savedPercent";
  const shown = (value: number) => (saved ? 100 * (1 - 1 / value) : value);
  const { value, bound } = estimate ? boundedValue(estimate, part.scale) : { value: null, bound: null };
  const interval = intervalOfPart(part, misses);
  return {
    key,
    label,
    value: value === null ? null : shown(value),
    ...(estimate ? {} : { absent: true }),
    bound,
    interval: interval && { low: shown(interval.low), high: shown(interval.high) },
    noInterval: interval ? null : (tooFew ?? "too many of its loads never ended"),
    unit: saved ? "%" : unit,
  };
}

/** A scenario with a single sample, or with a sample for each side of a comparison. */
interface ScenarioSamples {
  scenario: Scenario;
  sides: readonly [Sample] | readonly [baseline: Sample, option: Sample];
}

function partsOf(leaf: Leaf, own: MeasuredRun): Part[] {
  const run = leaf.run === undefined ? own : otherRun(leaf.run);
  const metric = leaf.metric ?? run.experiment.metric;
  const samples = run.samplesOf(metric);
  const axis = leaf.by === undefined ? null : axisNamed(leaf.by, "claim");
  const unit = unitOf(leaf, metrics[metric]!.unit);
  return comparisonsOf(leaf, run.experiment).flatMap((comparison) => {
    const scenarios = scenariosOf(leaf, comparison.sides, samples);
    return [leaf.statistic].flat().flatMap((name) =>
      linesOf(scenarios, axis).map(({ text, label, own }) => ({
        key: [comparison.id, Array.isArray(leaf.statistic) ? name : "", text].filter(Boolean).join(" "),
        label: [comparison.title, Array.isArray(leaf.statistic) ? name : "", label].filter(Boolean).join(", "),
        unit,
        scale: isCount(leaf.over) ? "linear" : scaleOf(leaf, unit),
        ...estimateOf(own, parseStatistic(name)!, leaf, run, scaleOf(leaf, unit)),
      })),
    );
  });
}

/** Times and ratios are always positive; differences and percentages may be negative. */
const scaleOf = ({ of }: Leaf, unit: string): Scale => (of === "difference" || unit === "%" ? "linear" : "logarithm");

/** The difference of two percentages is in percentage points. */
function unitOf({ of, over }: Leaf, metricUnit: string): string {
  if (of === "speedup" || of === "savedPercent" || isCount(over)) return "";
  return of === "difference" && metricUnit === "%" ? "points" : metricUnit;
}

function comparisonsOf({ of, comparison }: Leaf, { baseline, comparisons }: ComparedExperiment) {
  if (of === "value") return [{ id: "", title: "", sides: null }];
  const known = Object.keys(comparisons).join(", ");
  if (comparison === undefined) throw usageError(`a ${of} needs the field "comparison"; known comparisons: ${known}`);
  if (typeof comparison === "object" && !Array.isArray(comparison))
    return [{ id: "", title: "", sides: contrast(comparison.baseline, { title: "", option: comparison.option }) }];
  const ids = [comparison].flat();
  return ids.map((id) => {
    const one = comparisons[id];
    if (!one) throw usageError(`unknown comparison ${id}; known: ${known}`);
    return { ...(ids.length > 1 ? { id, title: one.title } : { id: "", title: "" }), sides: contrast(baseline, one) };
  });
}

function scenariosOf({ where = {} }: Leaf, sides: Contrast | null, samples: readonly Sample[]): ScenarioSamples[] {
  if (sides === null)
    return samples
      .filter(({ condition }) => passes(condition.values, where))
      .map((sample) => ({ scenario: sample.condition.values, sides: [sample] }));
  return pairsOf(sides, samples).flatMap(({ scenario, baseline, option }) =>
    baseline && option && passes(scenario, where) ? [{ scenario, sides: [baseline, option] as const }] : [],
  );
}

function linesOf(scenarios: readonly ScenarioSamples[], axis: AnyAxis | null) {
  if (!axis) return [{ text: "", label: "", own: scenarios }];
  return [...new Set(scenarios.map(({ scenario }) => scenario[axis.name]!))].map((value) => ({
    text: textOf(axis, value),
    label: labelOf(axis, value),
    own: scenarios.filter(({ scenario }) => scenario[axis.name] === value),
  }));
}

function estimateOf(
  given: readonly ScenarioSamples[],
  statistic: Statistic,
  { of, over }: Leaf,
  run: MeasuredRun,
  scale: Scale,
): Pick<Part, "estimate" | "tooFew" | "intervalOf"> {
  const scenarios = given.length;
  const absent = given.filter(({ sides }) => sides.some(({ byBlock }) => byBlock.size === 0)).length;
  if (scenarios === 0) return { estimate: null, tooFew: "no scenario" };
  if (absent > 0) return { estimate: null, tooFew: `no loads in ${absent} of ${scenarios} scenarios` };
  const pools = over === "pool" ? [poolOf(given)] : given.map(({ sides }) => sides.map((side) => [side]));
  const each = pools.map((sides) => {
    const [baseline, option] = sides.map((samples) => run.estimate(samples, statistic));
    if (of === "value" || !option) return baseline!;
    return of === "difference" ? differenceOf(baseline!, option) : ratioOf(baseline!, option);
  });
  const whole = overScenarios(each, over, scale);
  const values = Math.min(...pools.flat().map(valuesIn));
  const tooFew = tooFewBlocks(whole.estimate!.blocks) ?? statistic.tooFewLoads(values);
  return { ...whole, tooFew };
}

/** Joins the samples of all scenarios, separately for each side of the comparison. */
function poolOf(scenarios: readonly ScenarioSamples[]): Sample[][] {
  const sides = scenarios[0]?.sides.length ?? 0;
  return Array.from({ length: sides }, (_, side) => scenarios.map((scenario) => scenario.sides[side]!));
}
