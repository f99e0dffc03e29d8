/** Divides work into rounds if links cannot drift: first all links are measured, then all loads are made, then failed loads are repeated. */
import type { LoadChunk } from "../../schema/lane-messages.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import type { ChunkSizes } from "../plan/chunk-sizes.ts";
import { Attempts } from "./attempts.ts";
import { type Recorded, RecordedChunks } from "./recorded-chunks.ts";
import { measuringAlike, nextChunk, slicesOf } from "./share-work.ts";

export type Work = Pick<LoadChunk, "calibrate" | "loads">;

/** Yields rounds with one piece of work for each chunk. A round's loads follow from the attempts that were counted in earlier rounds. */
export function* roundsOf(plan: PlannedLoad[], attempts: Attempts, sizes: ChunkSizes): Generator<Work[]> {
  attempts.restart();
  yield slicesOf(measuringAlike(plan), sizes.links).map((calibrate) => ({ calibrate, loads: [] }));
  for (let loads = attempts.left(); loads.length > 0; loads = attempts.left())
    yield slicesOf(loads, sizes.loads).map((slice) => ({ calibrate: [], loads: leastTriedFirst(slice) }));
}

/** Returns each recorded chunk's work, by the chunk's number. The work includes loads that were given to the chunk's lane but never started. */
export function recordedWork(plan: PlannedLoad[], recorded: Recorded, sizes: ChunkSizes): Map<number, Work> {
  const [attempts, chunks, end] = [
    new Attempts(plan, recorded.loads),
    new RecordedChunks(recorded),
    nextChunk(recorded),
  ];
  const work = new Map<number, Work>();
  for (const round of roundsOf(plan, attempts, sizes)) {
    for (const piece of round) {
      for (const load of chunks.loadsOf(work.size)) attempts.count(load);
      work.set(work.size, piece);
    }
    if (work.size >= end) break;
  }
  return work;
}

/** Loads with the most attempts come last in a chunk, because such loads may end the chunk's lane. */
export const leastTriedFirst = (loads: PlannedLoad[]) => loads.toSorted((a, b) => a.attempt - b.attempt);
