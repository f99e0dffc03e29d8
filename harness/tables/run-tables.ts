/** A saved run's tables, from which all reports of its speedups are made. */
import { JudgedRun } from "../judge/run/judged-loads.ts";
import { readClaims } from "../plan/claims.ts";
import type { TableSpec } from "../plan/comparisons.ts";
import { conditionsOf } from "../plan/conditions.ts";
import type { Published } from "../plan/published.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { buildTables, type TablesReport } from "./report.ts";

/** A pure function of the run's files and the published values. @param more tables in addition to the experiment's @param metric instead of the experiment's own */
export function tablesOf(
  run: SavedRun,
  { more = [], metric }: { more?: readonly TableSpec[]; metric?: string | undefined } = {},
): TablesReport {
  const { name, experiment, loads, clock, registries, only, with: replaced } = run.manifest;
  const other = metric !== undefined && metric !== experiment.metric;
  // Published values are for the experiment's own metric.
  const published = other ? null : publishedOf(name);
  const judged = new JudgedRun(run);
  const tabled = { ...experiment, loads, tables: [...experiment.tables, ...more], ...(other && { metric }) };
  return buildTables(judged, tabled, published, {
    clock,
    conditions: conditionsOfRun(run.manifest),
    ...(only.length + replaced.length ? { whole: conditionsOf(experiment, registries) } : {}),
    timeoutMs: run.manifest.timeoutSeconds * 1000,
    neverConfirmed: judged.neverConfirmed,
    digest: () => judged.verdict().digest,
  });
}

/** The published tables for an experiment, or null. */
export const publishedOf = (experiment: string): Published | null => readClaims(experiment)?.published ?? null;
