/**
 * Measurements of links on the virtual clock that this checkout has made: the same kernel, programs, files and arguments give the same
 * bytes, so they are kept under the SHA-256 of these, outside of results/, and made again only where one of them has changed.
 */
import { z } from "zod";
import { environment } from "../../hosts/environment.ts";
import { type LaneMessage, type LoadChunk, laneMessageSchema } from "../../schema/lane-messages.ts";
import { SealedFiles } from "../judge/run/sealed-files.ts";
import type { StartLane } from "./run-events.ts";
import { onlyMeasures } from "./share-work.ts";

const keptIn = `${environment.state}/measurements`;
/** A chunk's measurements take 20 kB a link. */
const limits = { files: 1000, bytes: 1e6 };

/**
 * Lanes that measure no link twice.
 * @param inputOf the SHA-256 of all that decides what a chunk's lane reports
 * @param noteKept called with a chunk whose measurements were here
 */
export function keepingMeasurements(
  start: StartLane<LoadChunk>,
  inputOf: (chunk: LoadChunk, lane: number) => string,
  noteKept: (chunk: LoadChunk, input: string) => void,
  folder = keptIn,
): StartLane<LoadChunk> {
  const measurements = new SealedFiles<LaneMessage[]>(folder, limits);
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
