/** Extra loads, after a run's own, of which everything is kept (harness/lane/capture.ts). */
import type { Chunk, Condition } from "../../schema/plan.ts";
import type { Captured } from "../../schema/records.ts";
import type { Registries } from "../../schema/registries.ts";
import { LaneError, type StartLane } from "./runner.ts";

/** A lane has them one after the other: what a guest's memory holds of them is one at a time. */
const perLane = 24;

export interface CaptureOptions {
  conditions: readonly Condition[];
  registries: Registries;
  /** No other chunk of the run has it, or one of a later number. */
  firstChunk: number;
  timeoutMs: number;
  startLane: StartLane;
  keep(captured: Captured): void;
  signal: AbortSignal;
}

/** @returns what was wrong with lanes that ended early, in words: their other conditions have no capture */
export async function makeCaptures(options: CaptureOptions): Promise<string[]> {
  const { conditions, registries, firstChunk, timeoutMs, startLane, keep, signal } = options;
  const problems: string[] = [];
  for (let at = 0; at < conditions.length && !signal.aborted; at += perLane) {
    const capture = conditions.slice(at, at + perLane);
    const number = firstChunk + at / perLane;
    const chunk: Chunk = { number, calibrate: [], calibrations: {}, loads: [], capture, registries, timeoutMs };
    try {
      for await (const message of startLane(chunk, 0, signal)) if ("captured" in message) keep(message.captured);
    } catch (error) {
      if (!(error instanceof LaneError)) throw error;
      problems.push(error.message);
    }
  }
  return problems;
}
