/** The tables of a run: a pure function of its saved loads. */
import { axis as clientAxis } from "../../../axes/client.axis.ts";
import { metrics } from "../../../metrics/registry.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { Clock } from "../../../schema/records.ts";
import { comparable } from "../../plan/comparable.ts";
import type { ComparedExperiment } from "../../plan/comparisons.ts";
import type { Published } from "../../plan/published.ts";
import { resampleBlocks, tooFewBlocks } from "../../statistics/resample.ts";
import { summaryOf } from "./condition-summary.ts";
import { type CountedLoad, type CountOptions, countLoads } from "./counted.ts";
import { type DifferencesTable, differencesTable } from "./differences.ts";
import { type GridTable, gridTable } from "./grid.ts";
import { type MediansTable, mediansTable } from "./medians.ts";
import { contrast, pairsOf, type Scenario } from "./scenario.ts";
import { resampleMedians, type Speedup, speedupsOf } from "./speedups.ts";
import { type SummaryTable, summaryTable } from "./summary.ts";

/** What the tables need of an experiment. */
export interface TabledExperiment extends ComparedExperiment {
  title: string;
  /** Loads of each condition in a whole run: one a block. */
  loads: number;
  metric: string;
}

/** What the run's manifest adds. */
export interface RunFacts extends Pick<CountOptions, "conditions" | "timeoutMs" | "neverConfirmed"> {
  /** Of the run's lines (harness/record/digest.ts), asked when all loads were read; null for loads of no run. */
  digest?: () => string | null;
  clock: Clock;
  /** Of the whole experiment, where the run has fewer or others: --only, --with. */
  whole?: readonly Condition[];
}

export type AnyTable = GridTable | SummaryTable | MediansTable | DifferencesTable;

/** One result model for all renderers. */
export type TablesReport = ReturnType<typeof buildTables>;

/**
 * Builds every table that the experiment names, from as many loads as there are. The same loads, in any order,
 * give the same report.
 * @param loads read once for each metric that a table has
 * @param published values to print beside ours, or null
 */
export function buildTables(
  loads: Iterable<CountedLoad>,
  experiment: TabledExperiment,
  published: Published | null,
  { clock, conditions, whole = conditions, digest = () => null, ...options }: RunFacts,
) {
  const { metric, loads: loadsPerCondition } = experiment;
  const counted = (of: string) => countLoads(loads, { conditions, loadsPerCondition, metric: of, ...options });
  const { samples, counts } = counted(metric);
  const resamples = resampleBlocks(samples.flatMap(({ byBlock }) => [...byBlock.keys()]));
  const medians = resampleMedians(samples, resamples);
  const { comparisons, tables: specs, leftOut } = comparable(experiment, conditions);
  const speedupsByComparison = new Map(
    Object.entries(comparisons).map(([id, one]) => [
      id,
      speedupsOf(id, contrast(experiment.baseline, one), samples, medians),
    ]),
  );
  const scenarios = scenariosOf(experiment, whole);
  const tables = specs.map((spec): AnyTable => {
    if ("summary" in spec) return summaryTable(spec, comparisons, speedupsByComparison, published, scenarios);
    if ("differences" in spec) {
      const own = { ...spec, metric: spec.metric ?? metric };
      const ofMetric = own.metric === metric ? samples : counted(own.metric).samples;
      return differencesTable(own, experiment.baseline, comparisons, ofMetric, resamples);
    }
    if ("medians" in spec) return mediansTable(spec, experiment.baseline, comparisons, speedupsByComparison);
    return gridTable(spec, speedupsByComparison.get(spec.comparison) ?? [], published, scenarios.get(spec.comparison));
  });
  return {
    /** Of this format. */
    version: 1,
    title: experiment.title,
    clock,
    /** What made the loads, where it is not the default. */
    clients: clientsOf(conditions),
    /** What speedups are made of, in words, and its unit. */
    metric: metrics[metric]?.title ?? metric,
    unit: metrics[metric]?.unit ?? "",
    counts,
    /** Why no number has an interval; null where they have. */
    noIntervals: tooFewBlocks(counts.blocks),
    /** Of the run's lines: it changes when any of them does. */
    digest: digest(),
    /** Where the published values are from; null if there are none. */
    publishedSource: published?.source ?? null,
    comparisons: Object.entries(comparisons).map(([id, { title }]) => ({ comparison: id, title })),
    tables,
    /** What the experiment has and this run does not compare, in whole sentences. */
    leftOut,
    /** Other scenarios were requested than the experiment has. */
    partial: whole !== conditions,
    /** Every comparison in every scenario: the raw material of the tables. */
    speedups: [...speedupsByComparison.values()].flat().map(({ resampled: _, ...speedup }): Speedup => speedup),
    /** Every condition: the raw material of the speedups. */
    conditions: samples.map(summaryOf),
  };
}

const clientsOf = (conditions: readonly Condition[]): string[] =>
  [...new Set(conditions.map(({ settings }) => settings.client.software))].filter(
    (name) => name !== clientAxis.default,
  );

/** Every comparison's scenarios in these conditions. */
export function scenariosOf(
  { baseline, comparisons }: ComparedExperiment,
  conditions: readonly Condition[],
): Map<string, Scenario[]> {
  const all = conditions.map((condition) => ({ condition }));
  const scenarios = Object.entries(comparisons).map(([id, one]) => {
    return [id, pairsOf(contrast(baseline, one), all).map(({ scenario }) => scenario)] as const;
  });
  return new Map(scenarios);
}
