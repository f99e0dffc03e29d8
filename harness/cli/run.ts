import { readRegistries, usedBy } from "../../axes/registries.ts";
import { environment } from "../../hosts/environment.ts";
import { ExitCode, LabError, usageError } from "../../schema/errors.ts";
import type { Condition, PlannedLoad } from "../../schema/plan.ts";
import type { Clock, TracesKept } from "../../schema/records.ts";
import { makePrograms } from "../../servers/made.ts";
import { chooseSubstrate, defaultProcessingMs } from "../../substrate/choose.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import { planBlocks } from "../plan/blocks.ts";
import { comparable } from "../plan/comparable.ts";
import { conditionsOf } from "../plan/conditions.ts";
import { readExperiment } from "../plan/experiment.ts";
import { replace } from "../plan/select.ts";
import { chunkOf } from "../record/chain.ts";
import { conditionsOfRun, type Manifest } from "../record/manifest.ts";
import { Recorder } from "../record/recorder.ts";
import { readSavedRun, type SavedRun } from "../record/records.ts";
import { createRun, labCommit, openRun, type RunRequest } from "../record/run-folder.ts";
import { Attempts, type TriedLoad, triedLoad } from "../run/attempts.ts";
import { estimateSeconds } from "../run/estimate.ts";
import { laneProcesses } from "../run/lane-process.ts";
import { learnPages } from "../run/learn.ts";
import { lockLab } from "../run/lock.ts";
import { refuseChange, refuseHost, refuseUnsettable, refuseWrongLink } from "../run/refuse.ts";
import { refuseClients } from "../run/refuse-clients.ts";
import { refuseServers } from "../run/refuse-servers.ts";
import { runPlan } from "../run/runner.ts";
import { enoughOf } from "../statistics/until.ts";
import { type Progress, Standing, startProgress } from "./progress.ts";

type Opened = ReturnType<typeof openRun>;

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
}

export async function run(name: string, options: RunOptions): Promise<void> {
  const resumed = options.resume && resume(options);
  if (resumed) await carryOut(resumed.manifest, options, { resumed });
  else await carryOut(await requestOf(name, readExperiment(name), options), options);
}

/** How a run is shown, where it is not as all are. */
interface Showing {
  resumed?: Opened;
  begin?: (standing: Standing, manifest: Manifest) => Progress;
  /** It has ended, however it did. */
  end?: (folder: string) => void;
}

/** Make a run's loads. @param asked what its manifest says, or will say */
export async function carryOut(
  asked: RunRequest,
  options: Pick<RunOptions, "dryRun" | "substrate" | "lanes">,
  { resumed, begin = (standing) => startProgress(standing), end = () => {} }: Showing = {},
): Promise<void> {
  const conditions = conditionsOfRun(asked);
  const plan = planBlocks(conditions, asked.loads, asked.seed);
  if (options.dryRun) return print(plan);
  const { clock, processingMs } = asked;
  const substrate = await chooseSubstrate({
    ...options,
    clock,
    ...(processingMs === undefined ? {} : { processingMs }),
  });
  refuseUnsettable(conditions, asked.registries, substrate);
  refuseClients(conditions);
  if (substrate.name !== "compose") await refuseServers(conditions); // its servers have an image of their own
  await makePrograms(conditions.map(({ settings }) => settings.server.software));
  const release = await lockLab(substrate.lockPath);
  const stop = new AbortController();
  const letGo = await substrate.open((message) => stop.abort(new LabError(ExitCode.failed, message)));
  try {
    abortOnSignals(stop);
    const opened = resumed ?? createRun(await learnt(asked, conditions, substrate, stop.signal));
    await makeLoads(opened, { plan, conditions, substrate, signal: stop.signal, begin }).finally(() =>
      end(opened.folder),
    );
  } finally {
    letGo();
    release();
  }
}

/** The request, with what brought pages ask for. */
async function learnt(
  asked: RunRequest,
  conditions: Condition[],
  substrate: Substrate,
  signal: AbortSignal,
): Promise<RunRequest> {
  const { registries, seed, timeoutSeconds } = asked;
  const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  const options = { conditions, registries, seed, timeoutMs: timeoutSeconds * 1000, signal, say };
  return { ...asked, registries: await learnPages(substrate, options) };
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

function resume({
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
const resumeCommand = (folder: string, { clock }: Manifest): string =>
  `./lab run --resume ${folder}${clock === "virtual" ? " --clock virtual" : ""}`;

function print(loads: PlannedLoad[]): void {
  for (const { block, condition } of loads) console.log(`${block}\t${condition.id}`);
}

/** Its loads that were tried, one at a time. */
function* triedLoads(saved: SavedRun) {
  for (const line of saved.loads()) if ("load" in line) yield triedLoad(line.load);
}

/** On the real clock conditions take what they took in the reference run; on the virtual one each takes about the same. */
function standingOf(
  plan: PlannedLoad[],
  recorded: TriedLoad[],
  conditions: Condition[],
  { clock }: Substrate,
): Standing {
  const inSeconds = clock === "real";
  const seconds = new Map(inSeconds ? conditions.map((condition) => [condition.id, estimateSeconds(condition)]) : []);
  const of = (condition: string) => seconds.get(condition) ?? 1;
  return new Standing(plan, new Attempts(plan, recorded).missing(), { of, inSeconds });
}

interface Making {
  plan: PlannedLoad[];
  conditions: Condition[];
  substrate: Substrate;
  signal: AbortSignal;
  begin: NonNullable<Showing["begin"]>;
}

async function makeLoads(
  { folder, manifest }: Opened,
  { plan, conditions, substrate, signal, begin }: Making,
): Promise<void> {
  const saved = readSavedRun(folder, manifest);
  const recorded = [...triedLoads(saved)];
  const recorder = new Recorder(folder, manifest.traces);
  let [firstLane] = saved.lanes;
  const again = resumeCommand(folder, manifest);
  const progress = begin(standingOf(plan, recorded, conditions, substrate), manifest);
  progress.say(
    `${folder}: ${manifest.experiment.title}, ${plan.length} loads; the tables so far: ./lab tables ${folder}`,
  );
  for (const sentence of comparable(manifest.experiment, conditions).leftOut) progress.say(sentence);
  try {
    const missing = await runPlan({
      plan,
      recorded,
      signal,
      registries: manifest.registries,
      policy: substrate.lanes,
      ...(manifest.untilPercent === undefined ? {} : { enough: enoughOf(manifest) }),
      firstChunk: nextChunk(saved),
      timeOf: substrate.timeOf,
      timeoutMs: manifest.timeoutSeconds * 1000,
      startLane: laneProcesses(substrate, folder, manifest.seed),
      report: progress.event,
      keep(message) {
        if ("lane" in message) {
          firstLane ??= message.lane;
          refuseHost(manifest, message.lane, firstLane);
        }
        recorder.keep(message);
        if ("calibration" in message) refuseWrongLink(message.calibration);
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

/** After every chunk that left a line. */
const nextChunk = ({ lanes, calibrations }: SavedRun): number =>
  1 + Math.max(-1, ...lanes.map(({ lane }) => lane), ...calibrations.map(({ calibration }) => chunkOf(calibration)));

/** Ctrl-C, and what ends services. */
function abortOnSignals(stop: AbortController): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => stop.abort(new LabError(ExitCode.interrupted, `stopped by ${signal}`)));
}
