import type { Command } from "commander";
import { ExitCode, LabError, usageError } from "../../../schema/errors.ts";
import { verdictOn } from "../../judge/run/judged-loads.ts";
import { print } from "../../output/output.ts";
import { select } from "../../plan/select.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { readRun } from "../../record/records.ts";
import { type Checked, checked, demandOf, filterFrom } from "../../tables/check/check.ts";
import { tablesOf } from "../../tables/run-tables.ts";
import type { SummaryTable } from "../../tables/summary.ts";
import { verdictOf } from "../../verify/verdict.ts";
import { aRun, only, repeatable } from "./options.ts";

interface CheckOptions {
  atLeast: string[];
  only: string[];
}

function check(name: string | undefined, { atLeast, only }: CheckOptions): void {
  if (atLeast.length === 0) throw usageError("give the speedup that the run must reach, as in --at-least h2=1.2");
  const run = readRun(name);
  const { folder, manifest } = run;
  const demands = atLeast.map((text) => demandOf(text, manifest.experiment));
  select(conditionsOfRun(manifest), only); // refuses values that the run does not have
  const subset = filterFrom(only);
  // An invalid run cannot meet a requirement.
  const { exitCode, sentence } = verdictOf(verdictOn(run));
  if (exitCode !== ExitCode.done) throw new LabError(exitCode, `${folder}: ${sentence}`);
  const summaries = demands.map((demand, i) => ({
    id: `check ${i}`,
    title: "",
    summary: [demand.comparison] as [string],
    subset,
    notation: [],
  }));
  const { tables } = tablesOf(run, { more: summaries });
  const results = demands.map((demand, i) => {
    const table = tables.find(({ id }) => id === `check ${i}`);
    return table
      ? checked(table as SummaryTable, demand)
      : { result: "undecided" as const, why: `${demand.named}: the run lacks a side of this comparison` };
  });
  for (const { result, why } of results) print(`${result}: ${why}`);
  const has = (wanted: Checked["result"]) => results.some(({ result }) => result === wanted);
  if (has("not reached")) process.exitCode = ExitCode.failed;
  else if (has("undecided")) process.exitCode = ExitCode.undecided;
}

export const addTo = (lab: Command) =>
  lab
    .command("check")
    .description(
      "for CI: compare 95% intervals of a run's mean speedups with required speedups; exit with 0 only if each whole interval is at or above its required speedup, with 1 if a whole interval is below, with 7 if undecided",
    )
    .argument(...aRun)
    .addOption(
      repeatable(
        "--at-least <comparison=speedup>",
        "a required speedup, as in h2=1.2; ./lab tables prints the comparisons' names; repeatable",
      ),
    )
    .addOption(only())
    .action(check);
