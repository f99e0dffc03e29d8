import { writeFileSync } from "node:fs";
import { readYamlFile } from "../../schema/yaml-file.ts";
import { MarkedLoads } from "../judge/judged-loads.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { publishedFile } from "../plan/experiment.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { renderConditions, renderConditionsCsv } from "../report/tables/conditions.ts";
import { renderCsv, renderGainsCsv } from "../report/tables/csv.ts";
import { renderJson } from "../report/tables/json.ts";
import { renderMarkdown } from "../report/tables/markdown.ts";
import { publishedSchema } from "../report/tables/published.ts";
import { buildTables } from "../report/tables/report.ts";
import { enoughOf } from "../statistics/until.ts";

const renderers = {
  md: renderMarkdown,
  csv: renderCsv,
  json: renderJson,
  gains: renderGainsCsv,
  conditions: renderConditions,
  "conditions-csv": renderConditionsCsv,
};
type Format = keyof typeof renderers;
export const tableFormats = Object.keys(renderers);

/** What --write leaves in the run's folder, by the names that these pages link each other with. */
const pages = { "tables.md": "md", "conditions.md": "conditions", "conditions.csv": "conditions-csv" } as const;

export interface TablesOptions {
  format: Format;
  write?: true;
}

/** A pure function of the run's folder and the published values: the same tables for ever, also of a run under way. */
export function tables(name: string | undefined, { format, write }: TablesOptions): void {
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
  const text = (one: Format) => `${renderers[one](report).trimEnd()}\n`;
  if (report.noIntervals && !write && ["csv", "gains"].includes(format))
    console.error(`low95 and high95 are empty: ${report.noIntervals}`);
  if (!write) process.stdout.write(text(format));
  else for (const [file, one] of Object.entries(pages)) writeFileSync(`${folder}/${file}`, text(one));
}
