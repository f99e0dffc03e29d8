import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import type { PlannedLoad } from "../../schema/model.ts";
import { chooseSubstrate, defaultProcessingMs } from "../../substrate/choose.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import type { Calibration } from "../lane/calibration.ts";
import { planBlocks, select } from "../plan/blocks.ts";
import { conditionsOf, readExperiment } from "../plan/experiment.ts";
import { readRegistries, refuseChange } from "../plan/registries.ts";
import { Recorder } from "../record/recorder.ts";
import { createRun, labCommit, type Manifest, openRun, type RunRequest, readSavedRun } from "../record/run-folder.ts";
import { laneProcesses } from "../run/lane-process.ts";
import { lockLab } from "../run/lock.ts";
import { runPlan } from "../run/runner.ts";
import { enoughOf } from "../statistics/until.ts";
import { startProgress } from "./progress.ts";

export interface RunOptions {
  loads?: number;
  only: string[];
  seed?: number;
  timeout?: number;
  resume?: string | true;
  dryRun?: true;
  substrate?: "compose" | "netns";
  clock?: "real" | "virtual";
  lanes?: number | "auto";
  until?: number;
  processing?: number;
}

export async function run(name: string, options: RunOptions): Promise<void> {
  const resumed = options.resume && resume(options);
  const asked = resumed ? resumed.manifest : await wanted(name, options);
  if (options.dryRun) return print(planOf(asked));
  const substrate = await chooseSubstrate({
    ...options,
    clock: asked.clock,
    ...(asked.processingMs === undefined ? {} : { processingMs: asked.processingMs }),
  });
  const release = await lockLab(substrate.lockPath);
  const stop = new AbortController();
  const letGo = await substrate.open((message) => stop.abort(new LabError(ExitCode.failed, message)));
  try {
    const { folder, manifest } = resumed || createRun(asked);
    abortOnSignals(stop);
    await makeLoads(folder, manifest, substrate, stop.signal);
  } finally {
    letGo();
    release();
  }
}

/** What a new run's manifest will say. @throws LabError (usage) for what the experiment does not have */
async function wanted(
  name: string,
  { loads, seed, timeout, only, until, processing, clock = "real" }: RunOptions,
): Promise<RunRequest> {
  const { timeoutSeconds, ...experiment } = readExperiment(name);
  select(conditionsOf(experiment), only);
  if (processing !== undefined && clock === "real")
    throw usageError("--processing is for --clock virtual: on the real clock programs take what they take");
  return {
    name,
    commit: await labCommit(),
    clock,
    ...(clock === "virtual" ? { processingMs: processing ?? defaultProcessingMs } : {}),
    seed: seed ?? experiment.seed,
    loads: loads ?? experiment.loads,
    timeoutSeconds: timeout ?? timeoutSeconds,
    ...(until === undefined ? {} : { untilPercent: until }),
    only,
    experiment,
    registries: readRegistries(experiment.axes),
  };
}

function resume({ resume: name, loads, seed, timeout, clock, until, processing, only }: RunOptions) {
  if (loads ?? seed ?? timeout ?? clock ?? until ?? processing ?? only[0])
    throw usageError(
      "--resume goes on with the run as it was planned: it takes no --loads, --only, --seed, --timeout, --until, --processing or --clock",
    );
  const run = openRun(name === true ? undefined : name);
  refuseChange(run.manifest.registries, readRegistries(run.manifest.experiment.axes), run.folder);
  return run;
}

function planOf({ experiment, registries, only, loads, seed }: RunRequest): PlannedLoad[] {
  return planBlocks(select(conditionsOf(experiment, registries.channels), only), loads, seed);
}

function print(loads: PlannedLoad[]): void {
  for (const { block, condition } of loads) console.log(`${block}\t${condition.id}`);
}

async function makeLoads(folder: string, manifest: Manifest, substrate: Substrate, signal: AbortSignal): Promise<void> {
  const plan = planOf(manifest);
  const { loads: recorded, lanes } = readSavedRun(folder, manifest);
  const recorder = new Recorder(folder);
  const again = `./lab run --resume ${folder}`;
  const progress = startProgress(plan.length, recorded.filter(({ ok }) => ok).length);
  progress.say(
    `${folder}: ${manifest.experiment.title}, ${plan.length} loads; the tables so far: ./lab tables ${folder}`,
  );
  progress.say(`measuring the links first${substrate.clock === "real" ? ", about a quarter of a minute each" : ""}`);
  try {
    const missing = await runPlan({
      plan,
      recorded,
      signal,
      policy: substrate.lanes,
      ...(manifest.untilPercent === undefined ? {} : { enough: enoughOf(manifest) }),
      firstChunk: Math.max(-1, ...lanes.map(({ chunk = -1 }) => chunk)) + 1,
      timeOf: substrate.timeOf,
      timeoutMs: manifest.timeoutSeconds * 1000,
      startLane: laneProcesses(substrate, folder, manifest.seed),
      report: progress.say,
      keep(message) {
        recorder.keep(message);
        if ("calibration" in message) refuseWrongLink(message.calibration);
        if ("load" in message) progress.load(message.load);
      },
    });
    signal.throwIfAborted();
    if (missing.length)
      throw new LabError(
        ExitCode.loadsMissing,
        `${missing.length} of ${plan.length} loads are missing; loads.jsonl has the reasons. Try them again: ${again}`,
      );
    progress.say(`done: ./lab tables ${folder}`);
  } catch (error) {
    if (error instanceof LabError && error !== signal.reason) throw error;
    const { exitCode = ExitCode.failed, message } = error as Partial<LabError>;
    throw new LabError(exitCode, `${message}\nevery finished load is kept. Go on: ${again}`, { cause: error });
  } finally {
    progress.stop();
    recorder.close();
  }
}

/** @throws LabError when the link is not what was asked for, again and again: no load is made on it */
function refuseWrongLink({ channel, attempt, deviations, final }: Calibration): void {
  if (!final || deviations.length === 0) return;
  throw new LabError(
    ExitCode.wrongLink,
    `the link ${channel.name} is not what was asked for, measured ${attempt} times:\n  ${deviations.join("\n  ")}`,
  );
}

/** Ctrl-C, and what ends services. */
function abortOnSignals(stop: AbortController): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => stop.abort(new LabError(ExitCode.interrupted, `stopped by ${signal}`)));
}
