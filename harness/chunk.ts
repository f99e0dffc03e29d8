import type { Environment } from "./environment.ts";
import type { LoadRecord, PlannedLoad } from "./model.ts";

/** What a lane is given. */
export interface Chunk {
  loads: PlannedLoad[];
  timeoutMs: number;
}

/** What a lane prints, one JSON line each: first what it runs on, then its loads. */
export type LaneMessage = { environment: Environment } | { load: LoadRecord };
