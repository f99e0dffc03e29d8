import { flatten, type LoadRecord } from "../../schema/model.ts";
import { readYamlFile } from "../../schema/yaml-file.ts";
import { verify } from "../judge/verify.ts";
import { select } from "../plan/blocks.ts";
import { conditionsOf, publishedFile } from "../plan/experiment.ts";
import { openRun, readSavedRun } from "../record/run-folder.ts";
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
  const { experiment, registries, loads, clock, only } = manifest;
  const published = publishedFile(manifest.name);
  const planned = select(conditionsOf(experiment, registries.channels), only).map(flatten);
  const values = published ? readYamlFile(published, publishedSchema) : null;
  const saved = readSavedRun(folder, manifest);
  const flagged = new Set<LoadRecord>(
    verify(saved)
      .verdicts.filter(({ doubts, flags }) => doubts.length + flags.length > 0)
      .map(({ load }) => load),
  );
  const report = buildTables(saved.loads, { ...experiment, loads }, values, {
    clock,
    planned,
    flagged,
    enough: enoughOf(manifest),
  });
  process.stdout.write(`${renderers[format](report).trimEnd()}\n`);
}
