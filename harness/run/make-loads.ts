import { ExitCode, LabError, machineCannot } from "../../schema/errors.ts";
import type { LaneMessage } from "../../schema/lane-messages.ts";
import type { Condition, PlannedLoad } from "../../schema/plan.ts";
import type { Calibration, Lane } from "../../schema/records.ts";
import { counted } from "../../schema/words.ts";
import type { Substrate } from "../../substrate/substrate.ts";
import { hostProblems } from "../judge/run/lanes.ts";
import { chunkSizesOf } from "../plan/chunk-sizes.ts";
import { comparable } from "../plan/comparable.ts";
import type { Manifest } from "../record/manifest.ts";
import { openRecorder, type Recorder } from "../record/recorder.ts";
import { readSavedRun } from "../record/records.ts";
import { Attempts } from "./attempts.ts";
import { refuseLostLines } from "./lost-lines.ts";
import { recordedOf } from "./recorded-lines.ts";
import type { OpenedRun } from "./resume.ts";
import type { Lanes, StartProgress } from "./run-events.ts";
import { runPlan } from "./runner.ts";
import { sharedIn } from "./share-work.ts";

interface Making {
  plan: PlannedLoad[];
  conditions: Condition[];
  lanes: Lanes;
  timeOf: Substrate["timeOf"];
  signal: AbortSignal;
  startProgress: StartProgress;
}

/** @throws LabError if loads are missing at the end, or a lane must not continue */
export async function makeLoads(
  { folder, manifest }: OpenedRun,
  { plan, conditions, lanes, timeOf, signal, startProgress }: Making,
): Promise<void> {
  const { experiment } = manifest;
  const saved = readSavedRun(folder, manifest);
  const recorded = recordedOf(saved, conditions);
  const { policy } = lanes;
  const sizes = chunkSizesOf(manifest);
  refuseLostLines(saved, { plan, recorded, sizes: policy.links === "hold" ? sizes : null });
  const durability = policy.links === "hold" ? "each second" : "each line";
  const recorder = openRecorder(folder, manifest.traces, durability);
  const progress = startProgress({ folder, manifest, plan, missing: new Attempts(plan, recorded.loads).missing() });
  const tables = manifest.demands ? null : `./lab tables ${folder}`; // a gate prints its own table at its end
  const atAnyTime = tables ? `. To print its tables at any time: ${tables}` : "";
  progress.print(`${folder}: ${experiment.title}, ${counted(plan.length, "load")}${atAnyTime}`);
  for (const sentence of comparable(experiment, conditions).leftOut) progress.print(sentence);
  try {
    const missing = await runPlan({
      ...sharedIn(manifest),
      plan,
      recorded,
      signal,
      policy,
      sizes,
      timeOf,
      traces: manifest.traces,
      startLane: lanes.start,
      report: progress.event,
      keep: keeping(recorder, manifest, saved.lanes[0]),
    });
    signal.throwIfAborted();
    if (missing.length)
      throw new LabError(
        ExitCode.loadsMissing,
        `${missing.length} of ${counted(plan.length, "load")} are missing; ${folder}/loads.jsonl has the reason for each attempt that failed`,
      );
    progress.print(`All loads are made${tables ? `. Print the tables: ${tables}` : ""}`);
  } finally {
    progress.stop();
    recorder.close();
  }
}

/** Records messages. Refuses an unsuitable host before recording its lane, and a wrong link after recording its measurement. */
function keeping(recorder: Recorder, manifest: Manifest, first: Lane | undefined): (message: LaneMessage) => void {
  let firstLane = first;
  return (message) => {
    if (message.kind === "lane") {
      firstLane ??= message.lane;
      refuseHost(manifest, message.lane, firstLane);
    }
    recorder.keep(message);
    if (message.kind === "calibration") refuseWrongLink(message.calibration);
  };
}

/** @throws LabError if a lane's host is not as requested, or differs from the first lane's host. No load is made on such a host. */
export function refuseHost(manifest: Manifest, lane: Lane, first: Lane): void {
  const problems = hostProblems(manifest, lane, first);
  if (problems.length)
    throw machineCannot(
      `loads on this machine cannot be compared with the run's other loads:\n  ${problems.join("\n  ")}\nUndo the change, or start a new run`,
    );
}

/** @throws LabError if the last measurement of a link still deviates from the link's configuration. No load is made on such a link. */
export function refuseWrongLink({ link, attempt, deviations, final }: Calibration): void {
  if (!final || deviations.length === 0) return;
  throw new LabError(
    ExitCode.wrongLink,
    `the link ${link} is not as configured; it was measured ${attempt} times:\n  ${deviations.join("\n  ")}`,
  );
}
