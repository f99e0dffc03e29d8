import type { Chunk, LaneMessage, LoadChunk } from "../../schema/lane-messages.ts";
import type { Condition, PlannedLoad } from "../../schema/plan.ts";
import type { LanePolicy, Substrate } from "../../substrate/substrate.ts";
import type { Manifest } from "../record/manifest.ts";

/** Starts a lane on a chunk, and yields the lane's messages. @param slot the lane's slot, from 0 @throws LaneError if the lane ends early */
export type StartLane<Work extends Chunk = Chunk> = (
  chunk: Work,
  slot: number,
  signal: AbortSignal,
) => AsyncIterable<LaneMessage>;

/** Where a run's loads are made, and how they are divided among lanes. */
export interface Lanes {
  start: StartLane<LoadChunk>;
  policy: LanePolicy;
}

/** What is needed to make loads outside the plan: captures, and the loads that show which requests a page makes. */
export interface ExtraLoads {
  conditions: readonly Condition[];
  substrate: Substrate;
  signal: AbortSignal;
  print(text: string): void;
}

/** Events that a run reports to its progress display. */
export type RunEvent =
  | { kind: "lane starts"; chunk: LoadChunk }
  | { kind: "message"; message: LaneMessage; chunk: LoadChunk }
  | { kind: "lane broke"; message: string };

export interface Progress {
  event(event: RunEvent): void;
  print(text: string): void;
  stop(): void;
}

/** The state of a run when its loads start. */
export interface Start {
  folder: string;
  manifest: Manifest;
  plan: PlannedLoad[];
  missing: PlannedLoad[];
}
export type StartProgress = (start: Start) => Progress;

/** Thrown if a lane ends before it has finished its chunk. */
export class LaneError extends Error {}
