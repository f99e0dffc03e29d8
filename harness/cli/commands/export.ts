import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import type { Condition } from "../../../schema/plan.ts";
import type { GoodLoad } from "../../../schema/records.ts";
import { entryOf } from "../../../schema/registries.ts";
import { harOf } from "../../export/har.ts";
import { rowsParquet } from "../../export/parquet.ts";
import { qlogOf } from "../../export/qlog.ts";
import { columnsOf, countingLoads, type Row, rowsOf } from "../../export/rows.ts";
import { type JudgedLoad, judgedLoads, recordedLoads } from "../../judge/run/judged-loads.ts";
import { select } from "../../plan/select.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { readRun, type SavedRun } from "../../record/records.ts";
import { csvOf } from "../../tables/csv.ts";
import { aRun, only } from "./options.ts";

interface Export {
  run: SavedRun;
  conditions: ReadonlyMap<string, Condition>;
}

const formats = {
  har: archive,
  csv: (asked: Export) => csvOf(rowsIn(asked), columnsOf(asked.conditions)),
  parquet: (asked: Export) => rowsParquet(rowsIn(asked), columnsOf(asked.conditions)),
  qlog: quicLog,
};
type Format = keyof typeof formats;

type ExportOptions = { [format in Format]?: true } & { only: string[] };

function exportRun(name: string | undefined, { only, ...asked }: ExportOptions): void {
  const names = Object.keys(formats) as Format[];
  const [format, ...others] = names.filter((one) => asked[one]);
  if (!format || others.length) throw usageError(`give one of ${names.map((one) => `--${one}`).join(", ")}`);
  if (format === "parquet" && process.stdout.isTTY)
    throw usageError("--parquet is a binary format: redirect it to a file with >");
  const run = readRun(name);
  const conditions = new Map(select(conditionsOfRun(run.manifest), only).map((condition) => [condition.id, condition]));
  process.stdout.write(formats[format]({ run, conditions }));
}

function rowsIn(asked: Export): Row[] {
  const { experiment, timeoutSeconds } = asked.run.manifest;
  const { conditions } = asked;
  return rowsOf(loadsOf(asked), { conditions, metric: experiment.metric, timeoutMs: timeoutSeconds * 1000 });
}

const loadsOf = ({ run, conditions }: Export): JudgedLoad[] =>
  [...judgedLoads(run)].filter(({ condition }) => conditions.has(condition));

/** Returns the records of the loads from which tables are computed, except for failed loads. */
function goodLoads(asked: Export): GoodLoad[] {
  const loads = [...recordedLoads(asked.run)].filter(({ condition }) => asked.conditions.has(condition));
  const counting = countingLoads(loads, asked.run.manifest.experiment.metric);
  return loads.flatMap((load) => {
    const record = counting.has(load) && load.ok ? load.record() : null;
    return record?.ok ? [record] : [];
  });
}

function quicLog(asked: Export): string {
  const traced = goodLoads(asked).flatMap((load) => {
    const trace = load.trace === undefined ? null : asked.run.traceOf(load.trace);
    return trace?.quicFlows.length ? [{ load, trace }] : [];
  });
  if (!traced.length)
    throw usageError(
      "--qlog: none of these loads has a packet trace with QUIC connections; by default, a run keeps only the traces of block 1; --traces all keeps every trace",
    );
  return `${JSON.stringify(qlogOf(traced, asked.run.manifest.commit))}\n`;
}

function archive(asked: Export): string {
  const { manifest } = asked.run;
  const schemeOf = ({ condition }: GoodLoad) =>
    entryOf(manifest.registries.protocols, "protocols", String(asked.conditions.get(condition)!.values.protocol))
      .scheme;
  return `${JSON.stringify(harOf(goodLoads(asked), manifest.commit, schemeOf))}\n`;
}

export const addTo = (lab: Command) =>
  lab
    .command("export")
    .description("print a run in a format that other tools read")
    .argument(...aRun)
    .option("--har", "an HTTP Archive 1.2, with a HAR page for each valid load")
    .option("--csv", "CSV, with a line for each attempt at a load")
    .option("--parquet", "the same table as --csv, as Apache Parquet")
    .option("--qlog", "the QUIC connections of loads whose traces are kept, as qlog")
    .addOption(only())
    .action(exportRun);
