/** Computes a run's tables from its saved loads, without side effects. */
import { axis as clientAxis } from "../../axes/client.axis.ts";
import { metrics } from "../../metrics/registry.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Clock } from "../../schema/records.ts";
import { comparable } from "../plan/comparable.ts";
import { type ComparedExperiment, contrast } from "../plan/comparisons.ts";
import type { Published } from "../plan/published.ts";
import { resampleBlocks, tooFewBlocks } from "../statistics/resample.ts";
import { summaryOf } from "./condition-summary.ts";
import { type CountedLoad, type CountOptions, countLoads } from "./counted.ts";
import { type DifferencesTable, differencesTable } from "./differences.ts";
import { type FactorsTable, factorsTable } from "./factors.ts";
import { type GridTable, gridTable } from "./grid.ts";
import { type MediansTable, mediansTable } from "./medians.ts";
import { modesOf, type Repeated } from "./modes.ts";
import { pairsOf, type Scenario } from "./scenario.ts";
import { resampleMedians, type Speedup, speedupsOf } from "./speedups.ts";
import { type SummaryTable, summaryTable } from "./summary.ts";

export interface TabledExperiment extends ComparedExperiment {
  title: string;
  /** Planned loads of each condition: one in each block. */
  loads: number;
  metric: string;
}

export interface RunFacts extends Pick<CountOptions, "conditions" | "timeoutMs" | "neverConfirmed"> {
  /** Returns the run's digest (harness/record/digest.ts), or null for loads without a run. Called after all loads were read. */
  digest?: () => string | null;
  clock: Clock;
  /** Returns how many segments servers retransmitted in these conditions' loads. Called only if some conditions have modes (modes.ts). */
  repeated?: (conditions: ReadonlySet<string>) => Repeated;
  /** The conditions of the whole experiment, if the run may have fewer or other ones (--only, --with, --experiment). */
  whole?: readonly Condition[];
  /** A sentence that names the experiment that defines the tables, if this is not the run's own experiment. */
  definedBy?: string;
}

export type AnyTable = GridTable | SummaryTable | MediansTable | DifferencesTable | FactorsTable;

export type TablesReport = ReturnType<typeof buildTables>;

/** Builds the experiment's tables. The same loads in any order give the same report. @param loads read again for each table with another metric */
export function buildTables(
  loads: Iterable<CountedLoad>,
  experiment: TabledExperiment,
  published: Published | null,
  { clock, conditions, whole = conditions, digest = () => null, definedBy, repeated, ...options }: RunFacts,
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
    if ("cells" in spec || "differences" in spec) {
      const own = spec.metric ?? metric;
      const ofMetric = own === metric ? samples : counted(own).samples;
      return "cells" in spec
        ? factorsTable({ ...spec, metric: own }, experiment.baseline, comparisons, ofMetric, resamples)
        : differencesTable({ ...spec, metric: own }, experiment.baseline, comparisons, ofMetric, resamples);
    }
    if ("medians" in spec) return mediansTable(spec, experiment.baseline, comparisons, speedupsByComparison);
    return gridTable(spec, speedupsByComparison.get(spec.comparison) ?? [], published, scenarios.get(spec.comparison));
  });
  return {
    /** The version of this format. */
    version: 1,
    title: experiment.title,
    ...(definedBy !== undefined && { definedBy }),
    clock,
    /** The clients other than the default one. */
    clients: clientsOf(conditions),
    /** The title of the metric that speedups compare, and its unit. */
    metric: metrics[metric]?.title ?? metric,
    unit: metrics[metric]?.unit ?? "",
    counts,
    /** Why numbers have no interval, or null. */
    noIntervals: tooFewBlocks(counts.blocks),
    digest: digest(),
    publishedSource: published?.source ?? null,
    comparisons: Object.entries(comparisons).map(([id, { title }]) => ({ comparison: id, title })),
    tables,
    /** Sentences about comparisons of the experiment that this run cannot make. */
    leftOut,
    /** Whether the run may have fewer or other scenarios than the experiment. */
    partial: whole !== conditions,
    /** Every comparison in every scenario; tables are computed from these. */
    speedups: [...speedupsByComparison.values()].flat().map(({ estimate: _, ...speedup }): Speedup => speedup),
    conditions: samples.map(summaryOf),
    modes: modesOf(samples, repeated ?? (() => () => undefined)),
  };
}

const clientsOf = (conditions: readonly Condition[]): string[] =>
  [...new Set(conditions.map(({ settings }) => settings.client.software))].filter(
    (name) => name !== clientAxis.default,
  );

/** Returns every comparison's scenarios in these conditions. */
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
