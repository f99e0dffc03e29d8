import { ExitCode, LabError, usageError } from "../errors.ts";
import { conditionsOf, readExperiment } from "../experiment.ts";
import { Journal, readLoads } from "../journal.ts";
import { laneProcesses } from "../lane-process.ts";
import { lockLab } from "../lock.ts";
import type { PlannedLoad } from "../model.ts";
import { planBlocks, select } from "../plan.ts";
import { startProgress } from "../progress.ts";
import { createRun, labCommit, openRun, type Manifest } from "../run-folder.ts";
import { runPlan } from "../runner.ts";
import { chooseSubstrate } from "../substrate/choose.ts";

export interface RunOptions {
  loads?: number;
  only: string[];
  seed?: number;
  timeout?: number;
  resume?: string | true;
  dryRun?: true;
  substrate?: "compose" | "netns";
}

export async function run(experiment: string, options: RunOptions): Promise<void> {
  if (options.dryRun) return print(planOf(await wanted(experiment, options)));
  const substrate = await chooseSubstrate(options.substrate);
  const release = await lockLab(substrate.lockPath);
  try {
    const { folder, manifest } = options.resume ? resume(options) : createRun(readExperiment(experiment), await wanted(experiment, options));
    await makeLoads(folder, manifest, substrate);
  } finally {
    release();
  }
}

/** What a new run's manifest says beside its experiment. */
async function wanted(name: string, { loads, seed, timeout, only }: RunOptions) {
  const experiment = readExperiment(name);
  select(conditionsOf(experiment), only);
  return {
    loads: loads ?? experiment.loads,
    seed: seed ?? experiment.seed,
    timeoutSeconds: timeout ?? experiment.timeoutSeconds,
    only,
    commit: await labCommit(),
    experiment,
  };
}

function resume({ resume: name, loads, seed, timeout, only }: RunOptions) {
  if (loads ?? seed ?? timeout ?? only[0]) throw usageError("--resume goes on with the run as it was planned: it takes no --loads, --only, --seed or --timeout");
  return openRun(name === true ? undefined : name);
}

function planOf({ experiment, only, loads, seed }: Pick<Manifest, "experiment" | "only" | "loads" | "seed">): PlannedLoad[] {
  return planBlocks(select(conditionsOf(experiment), only), loads, seed);
}

function print(loads: PlannedLoad[]): void {
  for (const { block, condition } of loads) console.log(`${block}\t${condition.id}`);
}

async function makeLoads(folder: string, manifest: Manifest, substrate: Awaited<ReturnType<typeof chooseSubstrate>>): Promise<void> {
  const plan = planOf(manifest);
  const recorded = readLoads(folder);
  const journals = { load: new Journal(`${folder}/loads.jsonl`), environment: new Journal(`${folder}/lanes.jsonl`) };
  const again = `./lab run --resume ${folder}`;
  const { signal, name } = interruption();
  const letGo = await substrate.open();
  const progress = startProgress(plan.length, new Set(recorded.filter(({ ok }) => ok).map(({ block, condition }) => `${block} ${condition}`)).size);
  progress.say(`${folder}: ${manifest.experiment.title}, ${plan.length} loads; the tables so far: ./lab tables ${folder}`);
  try {
    const missing = await runPlan({
      plan, recorded, signal,
      timeoutMs: manifest.timeoutSeconds * 1000,
      startLane: laneProcesses(substrate, folder),
      report: progress.say,
      keep(message) {
        if ("environment" in message) return journals.environment.append(message.environment);
        journals.load.append(message.load);
        progress.load(message.load);
      },
    });
    if (signal.aborted) throw new LabError(ExitCode.interrupted, `stopped by ${name()}; every finished load is kept. Go on: ${again}`);
    if (missing.length) throw new LabError(ExitCode.loadsMissing, `${missing.length} of ${plan.length} loads are missing; loads.jsonl has the reasons. Try them again: ${again}`);
    progress.say(`done: ./lab tables ${folder}`);
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw new LabError(ExitCode.failed, `${(error as Error).message}\nevery finished load is kept. Go on: ${again}`, { cause: error });
  } finally {
    progress.stop();
    letGo();
    for (const journal of Object.values(journals)) journal.close();
  }
}

/** Ctrl-C, and what ends services. */
function interruption(): { signal: AbortSignal; name(): string } {
  const controller = new AbortController();
  let received = "";
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => {
      received = signal;
      controller.abort();
    });
  return { signal: controller.signal, name: () => received };
}
