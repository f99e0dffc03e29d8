import type { Command } from "commander";
import { giveVerdict, reportOn } from "../../gate/gate-verdict.ts";
import { print, say } from "../../output/output.ts";
import { planBlocks } from "../../plan/blocks.ts";
import { readClaims } from "../../plan/claims.ts";
import { readExperiment } from "../../plan/experiment.ts";
import { conditionsOfRun } from "../../record/manifest.ts";
import { openRun, type RunRequest } from "../../record/run-folder.ts";
import { type RunOptions, requestOf } from "../../run/request.ts";
import { answerCommand, openToResume } from "../../run/resume.ts";
import { carryOut } from "../../run/run.ts";
import { printLeftOut } from "../left-out.ts";
import { startProgress } from "../progress.ts";
import { anExperiment, only, replaced } from "./options.ts";
import { withRunOptions } from "./run-options.ts";

async function run(name: string, options: RunOptions): Promise<void> {
  if (!options.resume) readClaims(name); // reports an invalid claims file before the run begins, not when its tables are printed
  const asked = options.resume ? openToResume(options) : await requestOf(name, readExperiment(name), options);
  if (options.dryRun) return printOrder("folder" in asked ? asked.manifest : asked);
  const folder = await carryOut(asked, { ...options, print: say, startProgress });
  const made = openRun(folder);
  const answer = answerCommand(made);
  if (made.manifest.demands) await giveVerdict(reportOn(folder));
  else if (answer !== null) say(`To print the answer: ${answer}`);
  else printLeftOut(made.manifest);
}

export function printOrder(request: RunRequest): void {
  for (const { block, condition } of planBlocks(conditionsOfRun(request), request.loads, request.seed))
    print(`${block}\t${condition.id}`);
}

export const addTo = (lab: Command) =>
  withRunOptions(lab.command("run"))
    .description("make the loads of an experiment, and keep them in results/")
    .argument(...anExperiment)
    .addOption(only())
    .addOption(replaced())
    .option("--resume [run]", "make the missing loads of a run (default: the latest), with its original options")
    .action(run);
