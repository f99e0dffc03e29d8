/** Extra loads, after a run's own, of which everything is kept (harness/lane/capture.ts). */

import type { Captured, Chunk } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
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

/** @returns what was wrong with lanes that ended early, in words: the conditions that they were at have no capture */
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
    at += Math.min(slice.length, made + 1); // behind what it ended in, if it did
  }
  return problems;
}
