/**
 * Measurements of links on the virtual clock that this checkout has made: the same kernel, programs, files and arguments give the same
 * bytes, so they are kept under the SHA-256 of these, outside of results/, and made again only where one of them has changed.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { environment } from "../../hosts/environment.ts";
import { type LaneMessage, type LoadChunk, laneMessageSchema } from "../../schema/lane-messages.ts";
import { sealOf } from "../judge/run/index-key.ts";
import type { StartLane } from "./run-events.ts";
import { onlyMeasures } from "./share-work.ts";

const keptIn = `${environment.state}/measurements`;
const keptSchema = z.strictObject({ seal: z.string(), messages: z.array(laneMessageSchema) });

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
  return async function* (chunk, lane, signal) {
    if (!onlyMeasures(chunk)) return yield* start(chunk, lane, signal);
    const input = inputOf(chunk, lane);
    const kept = read(`${folder}/${input}`);
    if (kept) {
      noteKept(chunk, input);
      return yield* kept;
    }
    const messages: LaneMessage[] = [];
    for await (const message of start(chunk, lane, signal)) {
      messages.push(message);
      yield message;
    }
    if (!signal.aborted) keep(`${folder}/${input}`, messages, folder);
  };
}

/** @returns null if nothing is kept there, or another checkout wrote it */
function read(path: string): LaneMessage[] | null {
  try {
    const { seal, messages } = keptSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return seal === sealOf(messages) ? messages : null;
  } catch {
    return null;
  }
}

/** Where nothing can be written, nothing is kept. */
function keep(path: string, messages: LaneMessage[], folder: string): void {
  const part = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(part, JSON.stringify({ seal: sealOf(messages), messages }));
    renameSync(part, path);
  } catch {
    rmSync(part, { force: true });
  }
}
