// ./lab export: container=alone
import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { GoodLoad } from "../../../schema/records.ts";
import { type RecordedLoad, recordedLoads } from "../../judge/judged-loads.ts";
import { select } from "../../plan/select.ts";
import { conditionsOfRun, type Manifest } from "../../record/manifest.ts";
import { readSavedRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { filterFrom } from "../../report/check/check.ts";
import { rowsCsv } from "../../report/export/csv.ts";
import { harOf } from "../../report/export/har.ts";
import { rowsParquet } from "../../report/export/parquet.ts";
import { readmeMarkdown } from "../../report/export/readme.ts";
import { columnsOf, rowsOf } from "../../report/export/rows.ts";
import { tablesOf } from "../../report/run-tables.ts";
import { contrast, passes } from "../../report/tables/scenario.ts";
import { contrastInWords } from "../../web/data/asked.ts";
import { aRun, only } from "./options.ts";

/** What is asked for of a run. */
interface Export {
  folder: string;
  manifest: Manifest;
  conditions: ReadonlyMap<string, Condition>;
  only: string[];
}

const formats = {
  har: archive,
  csv: (asked: Export) => rowsCsv(rowsOf(loadsOf(asked), asked.conditions), columnsOf(asked.conditions)),
  parquet: (asked: Export) => rowsParquet(rowsOf(loadsOf(asked), asked.conditions), columnsOf(asked.conditions)),
  markdown: summary,
};
type Format = keyof typeof formats;

type ExportOptions = { [format in Format]?: true } & { only: string[] };

/** A run for other tools, on stdout. */
function exportRun(name: string | undefined, { only, ...asked }: ExportOptions): void {
  const names = Object.keys(formats) as Format[];
  const [format, ...others] = names.filter((one) => asked[one]);
  if (!format || others.length) throw usageError(`give one of ${names.map((one) => `--${one}`).join(", ")}`);
  if (format === "parquet" && process.stdout.isTTY) throw usageError("--parquet is no text: send it to a file, with >");
  const { folder, manifest } = openRun(name);
  const conditions = new Map(select(conditionsOfRun(manifest), only).map((condition) => [condition.id, condition]));
  process.stdout.write(formats[format]({ folder, manifest, conditions, only }));
}

const loadsOf = ({ folder, manifest, conditions }: Export): RecordedLoad[] =>
  [...recordedLoads(readSavedRun(folder, manifest))].filter(({ condition }) => conditions.has(condition));

function archive(asked: Export): string {
  const { manifest, conditions } = asked;
  const schemeOf = ({ condition }: GoodLoad) =>
    manifest.registries.protocols[String(conditions.get(condition)!.values.protocol)]!.scheme;
  const good = loadsOf(asked).flatMap(({ valid, record }) => (valid && record.ok ? [record] : []));
  return `${JSON.stringify(harOf(good, manifest.commit, schemeOf))}\n`;
}

function summary({ folder, manifest, only }: Export): string {
  const report = tablesOf(readSavedRun(folder, manifest));
  const filter = filterFrom(only);
  const speedups = report.speedups.filter(({ scenario }) => passes(scenario, filter));
  const { baseline, comparisons } = manifest.experiment;
  const nameOf = (id: string) => {
    const words = contrastInWords(contrast(baseline, comparisons[id]!));
    return `${words.option} in place of ${words.baseline}`;
  };
  return readmeMarkdown(report, speedups, folder, nameOf);
}

export const addTo = (lab: Command) =>
  lab
    .command("export")
    .description("print a run for other tools")
    .argument(...aRun)
    .option("--har", "an HTTP Archive 1.2: one page for each load that counts")
    .option("--csv", "CSV: one line for each attempt")
    .option("--parquet", "the same as Apache Parquet")
    .option("--markdown", "for a README: mean speedups, one line for each comparison")
    .addOption(only())
    .action(exportRun);
