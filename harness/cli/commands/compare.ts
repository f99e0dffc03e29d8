// ./lab compare: container=alone
import { type Command, Option } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { judgedLoads } from "../../judge/judged-loads.ts";
import { readSavedRun } from "../../record/records.ts";
import { openRun } from "../../record/run-folder.ts";
import { type Comparison, compareRuns } from "../../report/compare/compare.ts";
import { comparisonCsv, comparisonMarkdown, type RunName } from "../../report/compare/render.ts";

const renderers = {
  md: comparisonMarkdown,
  csv: comparisonCsv,
  json: (comparison: Comparison, [first, second]: [RunName, RunName]) =>
    JSON.stringify({ first, second, ...comparison }, null, 2),
};

/** Two runs of any experiments, by the conditions they share. */
function compare(first: string, second: string, { format }: { format: keyof typeof renderers }): void {
  const [a, b] = [openRun(first), openRun(second)];
  const loadsOf = ({ folder, manifest }: typeof a) => ({
    manifest,
    loads: judgedLoads(readSavedRun(folder, manifest)),
  });
  const comparison = compareRuns(loadsOf(a), loadsOf(b));
  if (comparison.compared.length === 0)
    throw usageError(`${a.folder} and ${b.folder} have no condition of which both have loads that count`);
  const named = ({ folder, manifest }: typeof a): RunName => ({ name: folder, clock: manifest.clock });
  process.stdout.write(`${renderers[format](comparison, [named(a), named(b)]).trimEnd()}\n`);
}

export const addTo = (lab: Command) =>
  lab
    .command("compare")
    .description("print where two runs differ, condition by condition, and what explains it")
    .argument("<first>", "a run's folder or its name")
    .argument("<second>", "another run's")
    .addOption(new Option("--format <format>").choices(Object.keys(renderers)).default("md"))
    .action(compare);
