/** What a new run will be, from the command line and an experiment. */
import { readRegistries, usedBy } from "../../axes/registries.ts";
import { usageError } from "../../schema/errors.ts";
import type { Clock, TracesKept } from "../../schema/records.ts";
import { defaultProcessingMs } from "../../substrate/choose.ts";
import { conditionsOf } from "../plan/conditions.ts";
import type { readExperiment } from "../plan/experiment.ts";
import { replace } from "../plan/select.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { labCommit, type RunRequest } from "../record/run-folder.ts";

export interface RunOptions {
  loads?: number;
  only: string[];
  with: string[];
  seed?: number;
  timeout?: number;
  resume?: string | true;
  dryRun?: true;
  substrate?: "compose" | "netns";
  clock?: Clock;
  lanes?: number | "auto";
  /** The address of their queue; true: as the environment says. */
  workers?: string | true;
  audit?: number;
  root?: string;
  processing?: number;
  traces?: TracesKept;
  capture?: true;
}

/** @throws LabError (usage) for values that the experiment or an axis does not have */
export async function requestOf(
  name: string,
  { timeoutSeconds, ...experiment }: ReturnType<typeof readExperiment>,
  { loads, seed, timeout, only, processing, clock = "real", traces = "first", ...options }: RunOptions,
): Promise<RunRequest> {
  if (processing !== undefined && clock === "real")
    throw usageError("--processing is for --clock virtual: on the real clock, programs really compute");
  if (options.workers !== undefined && clock === "real")
    throw usageError("--workers is for --clock virtual: on the real clock each machine would measure itself");
  if (options.audit !== undefined && options.workers === undefined)
    throw usageError("--audit compares what two workers make: it needs --workers");
  const registries = readRegistries();
  const asked = { experiment, only, with: options.with, registries };
  return {
    ...asked,
    name,
    commit: await labCommit(),
    clock,
    ...(clock === "virtual" ? { processingMs: processing ?? defaultProcessingMs } : {}),
    seed: seed ?? experiment.seed,
    loads: loads ?? experiment.loads,
    timeoutSeconds: timeout ?? timeoutSeconds,
    traces,
    registries: usedBy(
      [...conditionsOf(experiment, registries), ...conditionsOfRun(asked)],
      registries,
      replace(experiment, options.with).axes,
    ),
  };
}
