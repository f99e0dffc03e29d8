/** Defines a new run from the command line and an experiment. */
import { readRegistries, usedBy } from "../../axes/registries.ts";
import { usageError } from "../../schema/errors.ts";
import type { Clock, TracesKept } from "../../schema/records.ts";
import { defaultProcessingMs } from "../../substrate/choose.ts";
import { evenChunks } from "../plan/chunk-sizes.ts";
import { conditionsOf } from "../plan/conditions.ts";
import type { readExperiment } from "../plan/experiment.ts";
import { replace } from "../plan/select.ts";
import { usedOf } from "../record/added/kept.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { labCommit, type RunRequest } from "../record/run-folder.ts";
import { linkOf } from "./share-work.ts";

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
  workers?: string | true;
  audit?: number;
  root?: string;
  processing?: number;
  traces?: TracesKept;
  capture?: true;
}

export interface Workers {
  /** The address of the workers' queue; true if it is in the environment. */
  address: string | true;
  /** The share of chunks, from 0 to 1, that two workers make, so that their bytes can be compared. */
  auditedShare: number;
}

export type PlaceOptions = Pick<RunOptions, "substrate" | "lanes" | "root" | "workers" | "audit">;

/** Where a run's loads are made. Each clock has its own options. */
export type Place =
  | { clock: "real"; substrate: RunOptions["substrate"] | undefined }
  | {
      clock: "virtual";
      lanes: RunOptions["lanes"] | undefined;
      root: string | undefined;
      /** The queue from which workers take the run's chunks; absent if this machine makes them. */
      workers?: Workers;
    };

/** @throws LabError (usage) for an option of the other clock, and for --audit without --workers */
export function placeOf(clock: Clock, { substrate, lanes, root, workers, audit }: PlaceOptions): Place {
  if (audit !== undefined && workers === undefined)
    throw usageError("--audit compares what two workers make: it needs --workers");
  if (clock === "virtual") {
    if (substrate)
      throw usageError(`--substrate ${substrate} is for the real clock; the virtual clock uses its own guests`);
    return {
      clock,
      lanes,
      root,
      ...(workers !== undefined && { workers: { address: workers, auditedShare: (audit ?? 0) / 100 } }),
    };
  }
  if (workers !== undefined)
    throw usageError("--workers is for --clock virtual: on the real clock, load times depend on each machine's speed");
  if (root !== undefined)
    throw usageError("--root is for --clock virtual: on the real clock, this machine's servers and browsers are used");
  if (typeof lanes === "number" && lanes > 1)
    throw usageError(
      "--lanes: on the real clock lanes would disturb each other; more than one requires --clock virtual",
    );
  return { clock, substrate };
}

/** @throws LabError (usage) for values that the experiment or an axis does not have */
export async function requestOf(
  name: string,
  { timeoutSeconds, ...experiment }: ReturnType<typeof readExperiment>,
  { loads, seed, timeout, only, processing, clock = "real", traces = "first", ...options }: RunOptions,
): Promise<RunRequest> {
  placeOf(clock, options); // refuses wrong options, also for a run that is only planned
  if (processing !== undefined && clock === "real")
    throw usageError("--processing is for --clock virtual: on the real clock, computing takes its real time");
  const registries = readRegistries();
  const asked = { experiment, only, with: options.with, registries };
  const planned = conditionsOfRun(asked);
  const used = usedBy(
    [...conditionsOf(experiment, registries), ...planned],
    registries,
    replace(experiment, options.with).axes,
  );
  const added = usedOf(Object.keys(used.pages));
  const eachLoads = loads ?? experiment.loads;
  const links = new Set(planned.map(({ settings }) => linkOf(settings)));
  return {
    ...asked,
    name,
    commit: await labCommit(),
    clock,
    ...(clock === "virtual" && {
      processingMs: processing ?? defaultProcessingMs,
      chunks: evenChunks(planned.length * eachLoads, links.size),
    }),
    seed: seed ?? experiment.seed,
    loads: eachLoads,
    timeoutSeconds: timeout ?? timeoutSeconds,
    traces,
    ...(Object.keys(added).length > 0 && { added }),
    registries: used,
  };
}
