/** A run's loads, made and recorded as its plan has them. */
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { Condition, PlannedLoad } from "../../schema/plan.ts";
import { counted } from "../../schema/words.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import { comparable } from "../plan/comparable.ts";
import { chunkOf } from "../record/chain.ts";
import type { Manifest } from "../record/manifest.ts";
import { Recorder } from "../record/recorder.ts";
import { readSavedRun, type SavedRun } from "../record/records.ts";
import type { openRun } from "../record/run-folder.ts";
import { Attempts, type TriedLoad, triedLoad } from "../run/attempts.ts";
import { estimateSeconds } from "../run/estimate.ts";
import { laneProcesses } from "../run/lane-process.ts";
import { refuseHost, refuseWrongLink } from "../run/refuse.ts";
import { runPlan } from "../run/runner.ts";
import { enoughOf } from "../statistics/until.ts";
import { type Progress, Standing } from "./progress.ts";
import { resumeCommand } from "./request.ts";

/** A run's folder, with what was asked of it. */
export type Opened = ReturnType<typeof openRun>;

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
  begin: (standing: Standing, manifest: Manifest) => Progress;
}

export async function makeLoads(
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
    `${folder}: ${manifest.experiment.title}, ${counted(plan.length, "load")}; the tables so far: ./lab tables ${folder}`,
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
        if (message.kind === "lane") {
          firstLane ??= message.lane;
          refuseHost(manifest, message.lane, firstLane);
        }
        recorder.keep(message);
        if (message.kind === "calibration") refuseWrongLink(message.calibration);
      },
    });
    signal.throwIfAborted();
    if (missing.length)
      throw new LabError(
        ExitCode.loadsMissing,
        `${missing.length} of ${counted(plan.length, "load")} missing; loads.jsonl has the reasons. Try again: ${again}`,
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
export const nextChunk = ({ lanes, calibrations }: SavedRun): number =>
  1 + Math.max(-1, ...lanes.map(({ lane }) => lane), ...calibrations.map(({ calibration }) => chunkOf(calibration)));
