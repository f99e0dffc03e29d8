/** Caches measurements of links on the virtual clock, where the same inputs (kernel, programs, files, arguments) give the same bytes. */
import { z } from "zod";
import { cacheFolder } from "../../hosts/cache-folder.ts";
import { type LaneMessage, type LoadChunk, laneMessageSchema } from "../../schema/lane-messages.ts";
import { KeptFiles } from "../record/kept-files.ts";
import type { StartLane } from "./run-events.ts";
import { onlyMeasures } from "./share-work.ts";

/** The limits of the cache. Each file has the measurements of one chunk, about 20 kB for each link. */
const limits = { files: 1000, bytes: 1e6 };

/** Wraps `start` so that no link is measured twice. @param inputOf returns the SHA-256 of all inputs that determine what a chunk's lane reports */
export function keepingMeasurements(
  start: StartLane<LoadChunk>,
  inputOf: (chunk: LoadChunk, lane: number) => string,
  noteKept: (chunk: LoadChunk, input: string) => void,
  folder = cacheFolder("measurements"),
): StartLane<LoadChunk> {
  const measurements = new KeptFiles<LaneMessage[]>(folder, limits);
  return async function* (chunk, lane, signal) {
    if (!onlyMeasures(chunk)) return yield* start(chunk, lane, signal);
    const input = inputOf(chunk, lane);
    const { data: kept } = z.array(laneMessageSchema).safeParse(measurements.read(input));
    if (kept) {
      noteKept(chunk, input);
      return yield* kept;
    }
    const messages: LaneMessage[] = [];
    for await (const message of start(chunk, lane, signal)) {
      messages.push(message);
      yield message;
    }
    if (!signal.aborted) measurements.keep(input, messages);
  };
}
