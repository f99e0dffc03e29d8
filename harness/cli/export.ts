import { usageError } from "../../schema/errors.ts";
import type { GoodLoad, LoadRecord } from "../../schema/records.ts";
import { select } from "../plan/select.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { loadsCsv } from "../report/export/csv.ts";
import { harOf } from "../report/export/har.ts";

export interface ExportOptions {
  har?: true;
  csv?: true;
  only: string[];
}

/** A run's loads for other tools, on stdout. */
export function exportRun(name: string | undefined, { har, csv, only }: ExportOptions): void {
  if (har === csv) throw usageError("give one of --har and --csv");
  const { folder, manifest } = openRun(name);
  const conditions = new Map(select(conditionsOfRun(manifest), only).map((condition) => [condition.id, condition]));
  const loads = readSavedRun(folder, manifest).loads();
  const chosen = [...loads].flatMap((line): LoadRecord[] =>
    "load" in line && conditions.has(line.load.condition) ? [line.load] : [],
  );
  if (csv) {
    process.stdout.write(loadsCsv(chosen, conditions));
    return;
  }
  const schemeOf = ({ condition }: GoodLoad) =>
    manifest.registries.protocols[String(conditions.get(condition)!.values.protocol)]!.scheme;
  const good = chosen.filter((load): load is GoodLoad => load.ok);
  process.stdout.write(`${JSON.stringify(harOf(good, manifest.commit, schemeOf))}\n`);
}
