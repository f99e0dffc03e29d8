/** The tables of a run: a pure function of its saved loads. */
import type { FlatCondition, LoadRecord } from "../../../schema/model.ts";
import { redrawBlocks } from "../../statistics/resample.ts";
import { countLoads, type RunCounts } from "./counted.ts";
import { type Gain, gainsOf, redrawMedians } from "./gains.ts";
import { type GridTable, gridTable } from "./grid.ts";
import type { Published } from "./published.ts";
import { contrast } from "./setting.ts";
import type { Comparisons } from "./spec.ts";
import { type SummaryTable, summaryTable } from "./summary.ts";

/** The clock that page load times were read from; virtual time says nothing of the CPU's cost. */
export type Clock = "real" | "virtual";

/** What the tables need of an experiment. */
export interface TabledExperiment extends Comparisons {
  title: string;
  /** Loads of each condition in a whole run: one a block. */
  loads: number;
}

/** What the run's manifest adds. */
export interface RunFacts {
  clock: Clock;
  /** The conditions of the experiment, in its order; see countLoads for what is lost without them. */
  planned?: readonly FlatCondition[];
  /** Loads whose cells are marked: `./lab verify` doubts or flags them. */
  flagged?: ReadonlySet<LoadRecord>;
  /** Whether a condition's times (ms) are as many as were to be made; else experiment.loads are. */
  enough?: (timesMs: number[]) => boolean;
}

/** One result model for all renderers. */
export interface TablesReport {
  /** Of this format. */
  version: 1;
  title: string;
  clock: Clock;
  counts: RunCounts;
  /** Where the published values are from; null if there are none. */
  publishedSource: string | null;
  cases: { case: string; title: string }[];
  tables: (GridTable | SummaryTable)[];
  /** Every case in every setting: the raw material of the tables. */
  gains: Gain[];
}

/**
 * Builds every table that the experiment names, from as many loads as there are. The same loads, in any order,
 * give the same report.
 * @param published values to print beside ours, or null
 */
export function buildTables(
  loads: readonly LoadRecord[],
  experiment: TabledExperiment,
  published: Published | null,
  { clock, planned, flagged, enough }: RunFacts = { clock: "real" },
): TablesReport {
  const { samples, counts } = countLoads(loads, experiment.loads, planned, flagged, enough);
  const medians = redrawMedians(samples, redrawBlocks(samples.flatMap(({ byBlock }) => [...byBlock.keys()])));
  const cases = Object.entries(experiment.cases);
  const gainsByCase = new Map(
    cases.map(([id, definition]) => [id, gainsOf(id, contrast(experiment.base, definition), samples, medians)]),
  );
  const tables = experiment.tables.map((spec) =>
    "summary" in spec
      ? summaryTable(spec, experiment.cases, gainsByCase, published)
      : gridTable(spec, gainsByCase.get(spec.case) ?? [], published),
  );
  return {
    version: 1,
    title: experiment.title,
    clock,
    counts,
    publishedSource: published?.source ?? null,
    cases: cases.map(([id, { title }]) => ({ case: id, title })),
    tables,
    gains: [...gainsByCase.values()].flat().map(({ redrawn: _, ...gain }) => gain),
  };
}
