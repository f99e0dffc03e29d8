/** A saved run's tables: what every report of its gains is made from. */
import { readYamlFile } from "../../schema/yaml-file.ts";
import { MarkedLoads } from "../judge/judged-loads.ts";
import type { TableSpec } from "../plan/comparisons.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { publishedFile } from "../plan/experiment.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { enoughOf } from "../statistics/until.ts";
import { publishedSchema } from "./tables/published.ts";
import { buildTables, type TablesReport } from "./tables/report.ts";

/** A pure function of the run's folder and the published values. @param more tables than the experiment has @param metric another than its own */
export function tablesOf(
  folder: string,
  run: SavedRun,
  { more = [], metric }: { more?: readonly TableSpec[]; metric?: string | undefined } = {},
): TablesReport {
  const { name, experiment, loads, clock, registries, only, with: replaced } = run.manifest;
  const other = metric !== undefined && metric !== experiment.metric;
  // What was published is of the experiment's own.
  const published = other ? null : publishedFile(name);
  const values = published ? readYamlFile(published, publishedSchema) : null;
  const marked = new MarkedLoads(folder, run);
  const tabled = { ...experiment, loads, tables: [...experiment.tables, ...more], ...(other && { metric }) };
  return buildTables(marked, tabled, values, {
    clock,
    conditions: conditionsOfRun(run.manifest),
    ...(only.length + replaced.length ? { whole: conditionsOf(experiment, registries) } : {}),
    enough: enoughOf(run.manifest),
    neverShown: marked.neverShown,
    head: marked.head,
  });
}
