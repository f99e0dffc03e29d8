import { readYamlFile } from "../../schema/yaml-file.ts";
import { MarkedLoads } from "../judge/judged-loads.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { publishedFile } from "../plan/experiment.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { renderCsv, renderGainsCsv } from "../report/tables/csv.ts";
import { renderJson } from "../report/tables/json.ts";
import { renderMarkdown } from "../report/tables/markdown.ts";
import { publishedSchema } from "../report/tables/published.ts";
import { buildTables } from "../report/tables/report.ts";
import { enoughOf } from "../statistics/until.ts";

const renderers = { md: renderMarkdown, csv: renderCsv, json: renderJson, gains: renderGainsCsv };
export const tableFormats = Object.keys(renderers);

/** A pure function of the run's folder and the published values: the same tables for ever, also of a run under way. */
export function tables(name: string | undefined, { format }: { format: keyof typeof renderers }): void {
  const { folder, manifest } = openRun(name);
  const { experiment, loads, clock, registries } = manifest;
  const published = publishedFile(manifest.name);
  const values = published ? readYamlFile(published, publishedSchema) : null;
  const marked = new MarkedLoads(folder, readSavedRun(folder, manifest));
  const report = buildTables(marked, { ...experiment, loads }, values, {
    clock,
    conditions: conditionsOfRun(manifest),
    ...(manifest.only.length + manifest.with.length ? { whole: conditionsOf(experiment, registries) } : {}),
    enough: enoughOf(manifest),
    neverShown: marked.neverShown,
    head: marked.head,
  });
  process.stdout.write(`${renderers[format](report).trimEnd()}\n`);
}
