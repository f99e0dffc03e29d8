/** The option `--capture`: after the run's loads, makes an extra load of each condition and keeps all its data (harness/lane/capture.ts). */
import { ExitCode, LabError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import type { Captured, Chunk } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import { counted } from "../../schema/words.ts";
import { captureFolders, readCapture, writeCapture } from "../record/captures.ts";
import { readSavedRun } from "../record/records.ts";
import { laneProcesses } from "./lane-process.ts";
import { chunksOf } from "./recorded-lines.ts";
import type { OpenedRun } from "./resume.ts";
import { type ExtraLoads, LaneError, type StartLane } from "./run-events.ts";
import { nextChunk } from "./share-work.ts";

/** Captures the conditions that have no capture yet. @throws LabError if a capture is still missing at the end */
export async function captureLoads(
  { folder, manifest }: OpenedRun,
  { conditions, substrate, signal, print }: ExtraLoads,
): Promise<void> {
  const made = new Set(captureFolders(folder).map((path) => readCapture(path).condition));
  const wanted = conditions.filter(({ id }) => !made.has(id));
  print(`Capturing ${counted(wanted.length, "extra load")}, which the tables do not count`);
  const problems = await makeCaptures({
    conditions: wanted,
    registries: manifest.registries,
    firstChunk: nextChunk(chunksOf(readSavedRun(folder, manifest))),
    timeoutMs: manifest.timeoutSeconds * 1000,
    startLane: laneProcesses(substrate, folder, manifest.seed),
    keep(captured) {
      writeCapture(folder, captured);
      const { load } = captured;
      made.add(load.condition);
      print(`${load.condition}: captured${load.ok ? "" : `, but the load is invalid: ${inOneLine(load.reason)}`}`);
    },
    signal,
  });
  signal.throwIfAborted();
  const missing = conditions.filter(({ id }) => !made.has(id));
  if (missing.length)
    throw new LabError(
      ExitCode.failed,
      `all of the run's loads are made, but ${counted(missing.length, "condition has", "conditions have")} no capture: ${problems.join("; ")}`,
    );
  print(`Captures: ${folder}/captures`);
}

/** A lane makes at most this many captures, one after the other, because a guest's memory has room for only one at a time. */
const perLane = 24;

interface CaptureOptions {
  conditions: readonly Condition[];
  registries: Registries;
  /** The number of the first chunk of captures: larger than all chunk numbers of the run. */
  firstChunk: number;
  timeoutMs: number;
  startLane: StartLane;
  keep(captured: Captured): void;
  signal: AbortSignal;
}

/** @returns the reasons why lanes ended early; each condition at which a lane ended has no capture */
export async function makeCaptures(options: CaptureOptions): Promise<string[]> {
  const { conditions, registries, firstChunk, timeoutMs, startLane, keep, signal } = options;
  const problems: string[] = [];
  let at = 0;
  for (let number = firstChunk; at < conditions.length && !signal.aborted; number++) {
    const slice = conditions.slice(at, at + perLane);
    const chunk: Chunk = { kind: "capture", number, conditions: slice, registries, timeoutMs };
    let made = 0;
    try {
      for await (const message of startLane(chunk, 0, signal)) {
        if (message.kind !== "captured") continue;
        keep(message.captured);
        made++;
      }
    } catch (error) {
      if (!(error instanceof LaneError)) throw error;
      problems.push(error.message);
    }
    at += Math.min(slice.length, made + 1); // skips the condition at which a lane ended early
  }
  return problems;
}
