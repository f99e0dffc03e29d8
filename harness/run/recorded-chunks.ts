import { attemptKey } from "../../schema/attempt.ts";
import type { LaneMessage } from "../../schema/lane-messages.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import { type Calibration, chunkOf } from "../../schema/records.ts";
import type { TriedLoad } from "./attempts.ts";

export interface RecordedAttempt extends TriedLoad {
  chunk: number;
  /** Whether the runner wrote this line, because the lane ended early. */
  broken: boolean;
}

/** The lines that a run's files already have. */
export interface Recorded {
  loads: readonly RecordedAttempt[];
  /** The numbers of the chunks that have a line in lanes.jsonl. */
  lanes: readonly number[];
  calibrations: readonly Pick<Calibration, "calibration" | "attempt" | "link" | "final">[];
}

/**
 * A run's lines by chunk. On the virtual clock, a repeated chunk gives the same lines. So a chunk with missing lines is repeated under the same
 * number, and only the missing lines are added. A resumed run therefore has the same digest as a run without interruption.
 */
export class RecordedChunks {
  readonly #keys = new Map<number, Set<string>>();
  readonly #loads = new Map<number, RecordedAttempt[]>();
  /** Attempt -> the last chunk that has a line for it. */
  readonly #last = new Map<string, number>();
  readonly #calibrations: Recorded["calibrations"];

  constructor({ loads, lanes, calibrations }: Recorded) {
    this.#calibrations = calibrations;
    for (const load of loads) {
      const others = this.loadsOf(load.chunk);
      if (others.push(load) === 1) this.#loads.set(load.chunk, others);
      this.#keysOf(load.chunk).add(attemptKey(load));
      this.#last.set(attemptKey(load), Math.max(load.chunk, this.#last.get(attemptKey(load)) ?? 0));
    }
    for (const chunk of lanes) this.#keysOf(chunk).add(laneKey);
    for (const one of calibrations) this.#keysOf(chunkOf(one)).add(calibrationKey(one));
  }

  loadsOf(chunk: number): RecordedAttempt[] {
    return this.#loads.get(chunk) ?? [];
  }

  calibrationsOf(chunk: number): Recorded["calibrations"] {
    return this.#calibrations.filter((one) => one.final && chunkOf(one) === chunk);
  }

  hasLoad = (chunk: number, load: PlannedLoad): boolean => this.#keysOf(chunk).has(attemptKey(load));

  /** Whether the chunk has all lines for these loads and links, or was given up because its lanes ended early. */
  has(chunk: number, loads: readonly PlannedLoad[], links: readonly string[]): boolean {
    if (this.#endedEarly(chunk, loads)) return true;
    const measured = new Set(this.calibrationsOf(chunk).map(({ link }) => link));
    const made = loads.every((load) => this.hasLoad(chunk, load));
    return this.#keysOf(chunk).has(laneKey) && links.every((link) => measured.has(link)) && made;
  }

  /** Whether the chunk's lane ended early at a load, or a later chunk has made some of these loads, which must not be made twice. */
  #endedEarly(chunk: number, loads: readonly PlannedLoad[]): boolean {
    const isLater = (load: PlannedLoad) => (this.#last.get(attemptKey(load)) ?? 0) > chunk;
    return this.loadsOf(chunk).some(({ broken }) => broken) || loads.some(isLater);
  }

  /** Adds a lane's message. @returns whether the message's line is new in the chunk */
  add(chunk: number, message: LaneMessage): boolean {
    const keys = this.#keysOf(chunk);
    const key = keyOf(message);
    const fresh = !keys.has(key);
    keys.add(key);
    return fresh;
  }

  #keysOf(chunk: number): Set<string> {
    const keys = this.#keys.get(chunk) ?? new Set();
    this.#keys.set(chunk, keys);
    return keys;
  }
}

const laneKey = "lane";
const calibrationKey = ({ calibration, attempt }: Pick<Calibration, "calibration" | "attempt">) =>
  `${calibration} ${attempt}`;

function keyOf(message: LaneMessage): string {
  if (message.kind === "load") return attemptKey(message.load);
  if (message.kind === "calibration") return calibrationKey(message.calibration);
  return message.kind === "lane" ? laneKey : JSON.stringify(message);
}
