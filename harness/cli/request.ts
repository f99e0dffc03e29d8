/** What a run is asked for: by its options, or, where it is resumed, by its manifest. */
import { readRegistries, usedBy } from "../../axes/registries.ts";
import { environment } from "../../hosts/environment.ts";
import { usageError } from "../../schema/errors.ts";
import type { Clock, TracesKept } from "../../schema/records.ts";
import { defaultProcessingMs } from "../../substrate/choose.ts";
import { conditionsOf } from "../plan/conditions.ts";
import type { readExperiment } from "../plan/experiment.ts";
import { replace } from "../plan/select.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import { labCommit, openRun, type RunRequest } from "../record/run-folder.ts";
import { refuseChange } from "../run/refuse.ts";

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
  until?: number;
  processing?: number;
  traces?: TracesKept;
  capture?: true;
}

/** What a new run's manifest will say. @throws LabError (usage) for what the experiment does not have */
export async function requestOf(
  name: string,
  { timeoutSeconds, ...experiment }: ReturnType<typeof readExperiment>,
  options: RunOptions,
): Promise<RunRequest> {
  const { loads, seed, timeout, only, until, processing, clock = "real", traces = "first" } = options;
  if (processing !== undefined && clock === "real")
    throw usageError("--processing is for --clock virtual: on the real clock programs take what they take");
  const asked = { experiment, only, with: options.with, registries: readRegistries() };
  return {
    ...asked,
    name,
    commit: await labCommit(),
    clock,
    ...(clock === "virtual" ? { processingMs: processing ?? defaultProcessingMs } : {}),
    seed: seed ?? experiment.seed,
    loads: loads ?? experiment.loads,
    timeoutSeconds: timeout ?? timeoutSeconds,
    ...(until === undefined ? {} : { untilPercent: until }),
    traces,
    registries: usedBy(
      [...conditionsOf(experiment, asked.registries), ...conditionsOfRun(asked)],
      asked.registries,
      replace(experiment, options.with).axes,
    ),
  };
}

/** @throws LabError (usage) for what it was not begun with */
export function resume({
  resume: name,
  loads,
  seed,
  timeout,
  clock,
  until,
  processing,
  traces,
  only,
  with: replaced,
}: RunOptions) {
  if ([loads, seed, timeout, until, processing, traces, only[0], replaced[0]].some((option) => option !== undefined))
    throw usageError(
      "--resume goes on with the run as it was planned: it takes no --loads, --only, --with, --seed, --timeout, --until, --processing or --traces",
    );
  const opened = openRun(name === true ? undefined : name);
  const { folder, manifest } = opened;
  if (clock && clock !== manifest.clock)
    throw usageError(`${folder} was begun on the ${manifest.clock} clock: --resume takes no --clock ${clock} for it`);
  refuseChange(manifest, folder);
  if (manifest.clock === "virtual" && environment.substrate === "compose")
    throw usageError(
      `${folder} is on the virtual clock, and this is the harness's container, which has no kernel for it: resume it with \`${resumeCommand(folder, manifest)}\``,
    );
  return opened;
}

/** It names the virtual clock, by which the entry script knows, without looking into the run, where it can go on. */
export const resumeCommand = (folder: string, { clock }: Manifest): string =>
  `./lab run --resume ${folder}${clock === "virtual" ? " --clock virtual" : ""}`;
