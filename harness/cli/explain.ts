import { usageError } from "../../schema/errors.ts";
import { explainedLoads } from "../explain/explained.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { readSavedRun } from "../record/records.ts";
import { openRun } from "../record/run-folder.ts";
import { pathMarkdown } from "../report/explain/path.ts";
import { explanationCsv, explanationJson, explanationMarkdown } from "../report/explain/render.ts";
import { explanationOf } from "../report/explain/summary.ts";

const renderers = { md: explanationMarkdown, csv: explanationCsv, json: explanationJson };
export const explanationFormats = Object.keys(renderers);

export interface ExplainOptions {
  format: keyof typeof renderers;
  load?: number;
}

/** Where the time of a run's loads went, from its files alone. @param options.load a line of loads.jsonl, told by itself */
export function explain(name: string | undefined, { format, load: line }: ExplainOptions): void {
  const { folder, manifest } = openRun(name);
  const loads = [...explainedLoads(readSavedRun(folder, manifest))];
  if (loads.length === 0)
    throw usageError(
      `${folder} has no traces, which say where time goes: make a run with --traces first or --traces all`,
    );
  if (line !== undefined) {
    const load = loads.find((one) => one.line === line);
    const told = loads.map((one) => one.line).join(", ");
    if (!load) throw usageError(`line ${line} of ${folder}/loads.jsonl has no trace; lines that have one: ${told}`);
    return void process.stdout.write(pathMarkdown(load));
  }
  const { base, cases } = manifest.experiment;
  const order = conditionsOfRun(manifest).map(({ id }) => id);
  loads.sort((a, b) => order.indexOf(a.condition.id) - order.indexOf(b.condition.id) || a.line - b.line);
  process.stdout.write(`${renderers[format](explanationOf(loads, { base, cases })).trimEnd()}\n`);
}
