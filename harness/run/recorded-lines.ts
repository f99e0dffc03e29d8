/** Extracts what the runner needs from a run's lines. */
import type { Condition } from "../../schema/plan.ts";
import { chunkOf } from "../../schema/records.ts";
import { observedBy } from "../judge/load/observed.ts";
import type { SavedRun } from "../record/records.ts";
import type { Recorded, RecordedAttempt } from "./recorded-chunks.ts";

export const recordedOf = (saved: SavedRun, conditions: readonly Condition[]): Recorded => ({
  loads: [...attemptsOf(saved, conditions)],
  ...chunksOf(saved),
});

export const chunksOf = ({ lanes, calibrations }: SavedRun) => ({ lanes: lanes.map(chunkOf), calibrations });

function* attemptsOf(saved: SavedRun, conditions: readonly Condition[]): Generator<RecordedAttempt> {
  const byId = new Map(conditions.map((condition) => [condition.id, condition]));
  for (const line of saved.loads())
    if ("load" in line) {
      const { load } = line;
      const observed = observedBy(load, byId.get(load.condition), saved.manifest);
      const { condition, block, attempt } = load;
      const broken = !load.ok && load.cause === "lane ended";
      yield { condition, block, attempt, chunk: chunkOf(load), observed, broken };
    }
}
