/** Reconstructs chunks of a recorded run as their lanes got them, so that the chunks can be repeated. */
import { attemptKey } from "../../schema/attempt.ts";
import type { LoadChunk } from "../../schema/lane-messages.ts";
import type { Condition, PlannedLoad } from "../../schema/plan.ts";
import { type Calibration, chunkOf, type Lane, type LoadRecord } from "../../schema/records.ts";
import { planBlocks } from "../plan/blocks.ts";
import { chunkSizesOf } from "../plan/chunk-sizes.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { recordedOf } from "./recorded-lines.ts";
import { recordedWork } from "./rounds.ts";
import { linkOf, loadChunk, measuringAlike, sharedIn } from "./share-work.ts";

export interface ChunkToRepeat {
  chunk: LoadChunk;
  calibrations: Calibration[];
  lane: Lane | null;
  loads: LoadRecord[];
  endedEarly: boolean;
}

export const chunkNumbers = ({ calibrations, lanes }: SavedRun): number[] => [
  ...new Set([...calibrations, ...lanes].map(chunkOf)),
];

/** @param run a run on the virtual clock @returns the chunks in ascending order of their numbers */
export function chunksToRepeat(run: SavedRun, numbers: ReadonlySet<number>): ChunkToRepeat[] {
  const { manifest } = run;
  const conditions = conditionsOfRun(manifest);
  const work = recordedWork(
    planBlocks(conditions, manifest.loads, manifest.seed),
    recordedOf(run, conditions),
    chunkSizesOf(manifest),
  );
  const loads = new Map<number, LoadRecord[]>([...numbers].map((number) => [number, []]));
  // The runner, not a lane, writes the lines with the cause "lane ended".
  for (const line of run.loads())
    if ("load" in line && (line.load.ok || line.load.cause !== "lane ended"))
      loads.get(chunkOf(line.load))?.push(line.load);
  return [...loads]
    .sort(([a], [b]) => a - b)
    .map(([number, made]) => chunkToRepeat(run, number, made, plannedOr(work.get(number)?.loads, made, conditions)));
}

/**
 * Returns all loads that the chunk's lane got. These include loads that the lane never started, because a guest's times depend on each byte
 * that the guest reads. If an earlier version of the lab divided the run into chunks by other rules, only the loads that were made are known.
 */
function plannedOr(planned: PlannedLoad[] = [], made: LoadRecord[], conditions: Condition[]): PlannedLoad[] {
  const keys = planned.map(attemptKey);
  if (made.every((load, i) => attemptKey(load) === keys[i])) return planned;
  const byId = new Map(conditions.map((condition) => [condition.id, condition]));
  return made.map(({ block, attempt, condition }) => ({ block, attempt, condition: byId.get(condition)! }));
}

function chunkToRepeat(
  { manifest, lanes, calibrations: all }: SavedRun,
  number: number,
  made: LoadRecord[],
  loads: PlannedLoad[],
): ChunkToRepeat {
  const calibrations = all.filter((one) => chunkOf(one) === number);
  const lane = lanes.find((one) => chunkOf(one) === number) ?? null;
  const measuring = measuringAlike(conditionsOfRun(manifest).map((condition) => ({ condition })));
  const byLink = (link: string) => measuring.find((one) => linkOf(one) === link)!;
  const earlier = Object.entries(lane?.calibrations ?? {}).filter(
    ([, calibration]) => chunkOf({ calibration }) !== number,
  );
  const chunk = loadChunk(sharedIn(manifest), {
    number,
    calibrate: calibrations.filter(({ final }) => final).map(({ link }) => byLink(link)),
    calibrations: Object.fromEntries(earlier),
    loads,
  });
  return { chunk, calibrations, lane, loads: made, endedEarly: made.length < loads.length };
}
