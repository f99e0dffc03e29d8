import type { Calibration } from "./calibration.ts";
import type { Environment } from "./environment.ts";
import type { Channel, LoadRecord, PlannedLoad } from "./model.ts";

/** What a lane is given. */
export interface Chunk {
  /** Channels to measure before the loads. */
  calibrate: Channel[];
  loads: PlannedLoad[];
  timeoutMs: number;
}

/** What a lane prints, one JSON line each: what the links are, what it runs on, then its loads. */
export type LaneMessage = { calibration: Calibration } | { environment: Environment } | { load: LoadRecord };
