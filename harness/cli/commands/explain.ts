import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { explainedLoads } from "../../explain/explained.ts";
import { speedupsBesidePublished } from "../../explain/print/beside-published.ts";
import { explanationJson, explanationMarkdown } from "../../explain/print/explanation-markdown.ts";
import { pathMarkdown } from "../../explain/print/path.ts";
import { explanationOf } from "../../explain/print/summary.ts";
import { print } from "../../output/output.ts";
import { conditionsOf } from "../../plan/conditions.ts";
import { select } from "../../plan/select.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { readRun } from "../../record/records.ts";
import { scenariosOf } from "../../tables/report.ts";
import { publishedOf } from "../../tables/run-tables.ts";
import { aRun, formatOf, only, wholeNumber } from "./options.ts";

const renderers = { md: explanationMarkdown, json: explanationJson };

interface ExplainOptions {
  format: keyof typeof renderers;
  load?: number;
  only: string[];
}

function explain(name: string | undefined, { format, load: line, only }: ExplainOptions): void {
  const run = readRun(name);
  const { folder, manifest } = run;
  const order = select(conditionsOfRun(manifest), only).map(({ id }) => id);
  const isAsked = ({ condition }: { condition: string }) => order.includes(condition);
  const loads = [...explainedLoads(run, isAsked)];
  if (loads.length === 0)
    throw usageError(
      `explain needs packet traces, and these loads of ${folder} have none: no valid load has been made yet, or the run was made with --traces none`,
    );
  if (line !== undefined) {
    const load = loads.find((one) => one.line === line);
    const traced = loads.map((one) => one.line).join(", ");
    if (!load) throw usageError(`line ${line} of ${folder}/loads.jsonl has no trace; lines that have one: ${traced}`);
    print(pathMarkdown(load));
    return;
  }
  const { experiment, registries, name: experimentName } = manifest;
  loads.sort((a, b) => order.indexOf(a.condition.id) - order.indexOf(b.condition.id) || a.line - b.line);
  const whole = scenariosOf(experiment, conditionsOf(experiment, registries));
  const explanation = explanationOf(loads, experiment, (speedups) =>
    speedupsBesidePublished(speedups, experiment.tables, publishedOf(experimentName), whole),
  );
  if (explanation.conditions.length === 0)
    throw usageError(`none of these loads can be explained: ${explanation.unexplained.map(({ why }) => why)[0]}`);
  print(renderers[format](explanation));
}

export const addTo = (lab: Command) =>
  lab
    .command("explain")
    .description("print where the time of a run's loads went, part by part, and which parts cause the differences")
    .argument(...aRun)
    .addOption(formatOf(renderers))
    .addOption(only())
    .option("--load <n>", "only the critical path of the load in this line of loads.jsonl", wholeNumber(1, 10_000_000))
    .action(explain);
