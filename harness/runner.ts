import type { Chunk, LaneMessage } from "./chunk.ts";
import { flatten, type Channel, type LoadRecord, type PlannedLoad } from "./model.ts";

/** Starts a lane on a chunk; its messages end when it does, and throw when it broke. */
export type StartLane = (chunk: Chunk, signal: AbortSignal) => AsyncIterable<LaneMessage>;

export interface RunnerOptions {
  plan: PlannedLoad[];
  /** What earlier lanes have recorded. */
  recorded: LoadRecord[];
  timeoutMs: number;
  startLane: StartLane;
  /** Called with every message before it counts; when it throws, the run stops. */
  keep(message: LaneMessage): void;
  report(text: string): void;
  signal: AbortSignal;
  /** Milliseconds, rising. */
  now?(): number;
}

/** A condition's load in a block is tried this often, and a lane that makes no load is started again this often. */
export const maxAttempts = 3;
/** A lane ends after so many loads, a quarter of an hour, whatever it has gathered meanwhile. */
const chunkLoads = 300;
/** Channels that are measured again with each further lane, if their measurement is this old. */
const calibratedAgain = 2;
const calibrationMs = 10 * 60_000;

const keyOf = ({ block, condition }: { block: number; condition: string }) => `${block} ${condition}`;
const plannedKey = ({ block, condition }: PlannedLoad) => keyOf({ block, condition: condition.id });

/**
 * Make every planned load that has not been made: lanes get a slice of what is left, again and again, until all loads
 * are there or were tried `maxAttempts` times.
 * @returns the loads that are still missing
 * @throws what the last lane threw, when it and those before it made no load at all
 */
export async function runPlan(options: RunnerOptions): Promise<PlannedLoad[]> {
  const attempts = new Attempts(options.plan, options.recorded);
  const now = options.now ?? Date.now;
  const calibrations = new Map<string, number>(); // channel -> when
  for (let barren = 0, loads = attempts.left(); loads.length > 0 && !options.signal.aborted; loads = attempts.left()) {
    const chunk = loads.slice(0, chunkLoads).sort((a, b) => a.attempt - b.attempt); // what breaks lanes comes last
    const progress = { made: 0, ready: false };
    try {
      const calibrate = channelsToCalibrate(chunk, calibrations, now() - calibrationMs);
      for await (const message of options.startLane({ calibrate, loads: chunk, timeoutMs: options.timeoutMs }, options.signal)) {
        if (options.signal.aborted) break;
        options.keep(message);
        if ("environment" in message) progress.ready = true;
        if ("calibration" in message && message.calibration.final) calibrations.set(message.calibration.channel.name, now());
        if ("load" in message) {
          progress.made++;
          attempts.count(message.load);
        }
      }
    } catch (error) {
      if (options.signal.aborted) break;
      if (!(error instanceof LaneError)) throw error;
      const broken = progress.ready ? chunk[progress.made] : undefined;
      if (broken) {
        const load = failedWith(error, broken);
        options.keep({ load });
        attempts.count(load);
      }
      if (progress.made === 0 && ++barren >= maxAttempts && attempts.left().length > 0) throw error;
      options.report(`${error.message}; starting another lane`);
    }
    if (progress.made > 0) barren = 0;
  }
  return attempts.missing();
}

/** The load that a lane was at when it ended: else a load that breaks every lane would leave no trace. */
function failedWith({ message }: Error, { block, attempt, condition }: PlannedLoad): LoadRecord {
  return { ...flatten(condition), block, attempt, startedAt: new Date().toISOString(), wallMs: 0, ok: false, reason: message };
}

/** Which loads are made, and how often the others were tried. */
class Attempts {
  readonly #plan: PlannedLoad[];
  readonly #tried = new Map<string, number>();
  readonly #before: Map<string, number>;
  readonly #done = new Set<string>();

  constructor(plan: PlannedLoad[], recorded: LoadRecord[]) {
    this.#plan = plan;
    recorded.forEach((load) => this.count(load));
    this.#before = new Map(this.#tried); // a run that is resumed starts its failed loads over, under new attempt numbers
  }

  count(load: LoadRecord): void {
    const key = keyOf(load);
    this.#tried.set(key, Math.max(load.attempt, this.#tried.get(key) ?? 0));
    if (load.ok) this.#done.add(key);
  }

  missing(): PlannedLoad[] {
    return this.#plan.filter((load) => !this.#done.has(plannedKey(load)));
  }

  /** Those that may be tried, with the number of their next attempt. */
  left(): PlannedLoad[] {
    const tried = (load: PlannedLoad) => this.#tried.get(plannedKey(load)) ?? 0;
    const before = (load: PlannedLoad) => this.#before.get(plannedKey(load)) ?? 0;
    return this.missing().filter((load) => tried(load) - before(load) < maxAttempts).map((load) => ({ ...load, attempt: tried(load) + 1 }));
  }
}

/** The chunk's channels that were not measured yet; when all were, those whose measurement is oldest: links may drift. */
function channelsToCalibrate(chunk: PlannedLoad[], measuredAt: ReadonlyMap<string, number>, notSince: number): Channel[] {
  const channels = [...new Map(chunk.map(({ condition: { channel } }) => [channel.name, channel])).values()];
  const fresh = channels.filter(({ name }) => !measuredAt.has(name));
  if (fresh.length) return fresh;
  return channels.filter(({ name }) => measuredAt.get(name)! < notSince).sort((a, b) => measuredAt.get(a.name)! - measuredAt.get(b.name)!).slice(0, calibratedAgain);
}

/** A lane that ended before its chunk did. */
export class LaneError extends Error {}
