import { writeFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { speedupMetrics } from "../../../metrics/registry.ts";
import { usageError } from "../../../schema/errors.ts";
import { print, say } from "../../output/output.ts";
import { definedOtherwise } from "../../record/experiment-now.ts";
import { readRun } from "../../record/records.ts";
import { renderConditions, renderConditionsCsv } from "../../tables/conditions.ts";
import { renderJson } from "../../tables/json.ts";
import { renderMarkdown } from "../../tables/markdown.ts";
import type { TablesReport } from "../../tables/report.ts";
import { tablesOf } from "../../tables/run-tables.ts";
import { renderSpeedupsCsv } from "../../tables/speedups-csv.ts";
import { aRun, definedBy, formatOf } from "./options.ts";

const renderers = {
  md: renderMarkdown,
  json: renderJson,
  speedups: renderSpeedupsCsv,
  conditions: renderConditions,
  "conditions-csv": renderConditionsCsv,
};
type Format = keyof typeof renderers;

/** The files that --write puts into the run's folder. Tables link to these names. */
const pages = { "tables.md": "md", "conditions.md": "conditions", "conditions.csv": "conditions-csv" } as const;

const textOf = (report: TablesReport, format: Format) => `${renderers[format](report).trimEnd()}\n`;

/** Returns the names and contents of the files that --write puts into a run's folder. */
export const writtenFiles = (report: TablesReport): [string, string][] =>
  Object.entries(pages).map(([file, format]) => [file, textOf(report, format)]);

interface TablesOptions {
  format: Format;
  write?: true;
  metric?: string;
  experiment?: string;
}

/** Prints a run's tables, also while the run is active. The tables depend only on the run's folder and the published values. */
export function tables(name: string | undefined, { format, write, metric, experiment }: TablesOptions): void {
  if (write && (metric !== undefined || experiment !== undefined))
    throw usageError("--write uses the run's own metric and experiment: leave out --metric and --experiment");
  const run = readRun(name);
  const report = tablesOf(run, { metric, given: experiment });
  const otherwise = experiment === undefined ? definedOtherwise(run.manifest) : null;
  if (otherwise !== null) say(otherwise);
  if (report.noIntervals && !write && format === "speedups") say(`low95 and high95 are empty: ${report.noIntervals}`);
  if (!write) print(textOf(report, format));
  else for (const [file, text] of writtenFiles(report)) writeFileSync(`${run.folder}/${file}`, text);
}

export const addTo = (lab: Command) =>
  lab
    .command("tables")
    .description("print a run's tables, with the published values")
    .argument(...aRun)
    .addOption(
      formatOf(
        renderers,
        "json: everything; speedups: CSV with a line for each speedup; conditions: each condition's median and spread",
      ),
    )
    .addOption(
      new Option("--metric <name>", "compare this metric instead of the experiment's (./lab list metrics)").choices(
        speedupMetrics,
      ),
    )
    .addOption(definedBy("tables"))
    .option("--write", "instead of printing, write tables.md, conditions.md and conditions.csv into the run's folder")
    .action(tables);
