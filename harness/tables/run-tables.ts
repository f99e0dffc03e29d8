/** A saved run's tables, from which all reports of its speedups are built. */
import { JudgedRun } from "../judge/run/judged-loads.ts";
import { readClaims } from "../plan/claims.ts";
import type { TableSpec } from "../plan/comparisons.ts";
import type { Published } from "../plan/published.ts";
import { definingExperiment } from "../record/experiment-now.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { repeatedSegments } from "./modes.ts";
import { buildTables, type RunFacts, type TablesReport } from "./report.ts";

export interface TablesAsked {
  /** Tables in addition to the experiment's. */
  more?: readonly TableSpec[];
  /** A metric to use instead of the experiment's own. */
  metric?: string | undefined;
  /** The name of an experiment whose tables are built, instead of those of the run's experiment. */
  given?: string | undefined;
}

/** Builds a run's tables. They depend only on the run's files, the published values, and the given experiment. */
export function tablesOf(run: SavedRun, { more = [], metric, given }: TablesAsked = {}): TablesReport {
  const { name, experiment, judged, facts } = factsOf(run, given);
  const other = metric !== undefined && metric !== experiment.metric;
  // Published values are for the experiment's own metric.
  const published = other ? null : publishedOf(name);
  const tabled = { ...experiment, tables: [...experiment.tables, ...more], ...(other && { metric }) };
  return buildTables(judged, tabled, published, {
    ...facts,
    digest: () => judged.verdict().digest,
    repeated: repeatedSegments(run),
  });
}

/** Reads what tables and figures need from a run. @param given the name of an experiment to use instead of the run's own */
export function factsOf(run: SavedRun, given: string | undefined) {
  const { loads, clock, timeoutSeconds } = run.manifest;
  const { name, experiment, whole, definedBy } = definingExperiment(run.manifest, given);
  const judged = new JudgedRun(run);
  const facts: RunFacts = {
    clock,
    conditions: conditionsOfRun(run.manifest),
    ...(whole && { whole }),
    ...(definedBy !== undefined && { definedBy }),
    timeoutMs: timeoutSeconds * 1000,
    neverConfirmed: judged.neverConfirmed,
  };
  return { name, experiment: { ...experiment, loads }, judged, facts };
}

export const publishedOf = (experiment: string): Published | null => readClaims(experiment)?.published ?? null;
