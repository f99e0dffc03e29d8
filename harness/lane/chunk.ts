import type { Condition, LoadRecord, PlannedLoad } from "../../schema/model.ts";
import type { Calibration } from "./calibration.ts";
import type { Environment } from "./environment.ts";

/** What a lane is given. */
export interface Chunk {
  /** Counted over the whole run, from 0: on the virtual clock, what its lane draws and when it starts follow from it. */
  number: number;
  /** Channels to measure before the loads, each in a condition that has it. */
  calibrate: Condition[];
  loads: PlannedLoad[];
  timeoutMs: number;
}

/** What a lane prints, one JSON line each: what the links are, what it runs on, then its loads. */
export type LaneMessage = { calibration: Calibration } | { environment: Environment } | { load: LoadRecord };
