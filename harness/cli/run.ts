import { planBlocks } from "../plan/blocks.ts";
import { readExperiment } from "../plan/experiment.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { RunRequest } from "../record/run-folder.ts";
import { type RunOptions, requestOf } from "../run/request.ts";
import { openToResume } from "../run/resume.ts";
import { carryOut } from "../run/run.ts";
import { startProgress } from "./progress.ts";

export async function run(name: string, options: RunOptions): Promise<void> {
  const asked = options.resume ? openToResume(options) : await requestOf(name, readExperiment(name), options);
  if (options.dryRun) return printOrder("folder" in asked ? asked.manifest : asked);
  await carryOut(asked, { ...options, print: console.error, startProgress });
}

/** The order in which loads will be made. */
export function printOrder(request: RunRequest): void {
  for (const { block, condition } of planBlocks(conditionsOfRun(request), request.loads, request.seed))
    console.log(`${block}\t${condition.id}`);
}
