import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { judgedLoads } from "../../judge/run/judged-loads.ts";
import { print } from "../../output/output.ts";
import { readRun } from "../../record/records.ts";
import { type Comparison, compareRuns } from "../../tables/compare/compare.ts";
import { comparisonMarkdown, type RunName } from "../../tables/compare/compare-text.ts";
import { formatOf } from "./options.ts";

const renderers = {
  md: comparisonMarkdown,
  json: (comparison: Comparison, [first, second]: [RunName, RunName]) =>
    JSON.stringify({ first, second, ...comparison }, null, 2),
};

/** Compares two runs by the conditions that they share. The runs may belong to different experiments. */
export function compare(first: string, second: string, { format }: { format: keyof typeof renderers }): void {
  const [a, b] = [readRun(first), readRun(second)];
  const loadsOf = (run: typeof a) => ({ manifest: run.manifest, loads: judgedLoads(run) });
  const comparison = compareRuns(loadsOf(a), loadsOf(b));
  if (comparison.compared.length === 0)
    throw usageError(`${a.folder} and ${b.folder} have no condition for which both have valid loads`);
  const named = ({ folder, manifest }: typeof a): RunName => ({ name: folder, clock: manifest.clock });
  print(renderers[format](comparison, [named(a), named(b)]));
}

export const addTo = (lab: Command) =>
  lab
    .command("compare")
    .description("print where two runs differ, condition by condition, and what explains the differences")
    .argument("<first>", "a run's folder or its name")
    .argument("<second>", "the other run's folder or name")
    .addOption(formatOf(renderers))
    .action(compare);
