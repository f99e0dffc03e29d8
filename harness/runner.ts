import type { Chunk, LaneMessage } from "./chunk.ts";
import type { Channel, LoadRecord, PlannedLoad } from "./model.ts";

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
}

/** A condition's load in a block is tried this often, and a lane that makes no load is started again this often. */
export const maxAttempts = 3;

const keyOf = ({ block, condition }: { block: number; condition: string }) => `${block} ${condition}`;
const plannedKey = ({ block, condition }: PlannedLoad) => keyOf({ block, condition: condition.id });

/**
 * Make every planned load that has not been made: lanes get what is left of one block at a time, again and again, until
 * all loads are there or were tried `maxAttempts` times.
 * @returns the loads that are still missing
 * @throws what the last lane threw, when it and those before it made no load at all
 */
export async function runPlan(options: RunnerOptions): Promise<PlannedLoad[]> {
  const attempts = new Map<string, number>();
  const done = new Set<string>();
  const count = (load: LoadRecord) => {
    attempts.set(keyOf(load), Math.max(load.attempt, attempts.get(keyOf(load)) ?? 0));
    if (load.ok) done.add(keyOf(load));
  };
  options.recorded.forEach(count);
  // A run that is resumed starts its failed loads over, under new attempt numbers.
  const before = new Map(attempts);
  const triesLeft = (load: PlannedLoad) => maxAttempts - ((attempts.get(plannedKey(load)) ?? 0) - (before.get(plannedKey(load)) ?? 0));
  const left = () =>
    options.plan
      .filter((load) => !done.has(plannedKey(load)) && triesLeft(load) > 0)
      .map((load) => ({ ...load, attempt: (attempts.get(plannedKey(load)) ?? 0) + 1 }));

  const measured = new Set<string>();
  for (let barren = 0, loads = left(); loads.length > 0 && !options.signal.aborted; loads = left()) {
    const chunk = loads.filter(({ block }) => block === loads[0]?.block);
    const calibrate = channelsToCalibrate(chunk, measured);
    let made = 0;
    try {
      for await (const message of options.startLane({ calibrate, loads: chunk, timeoutMs: options.timeoutMs }, options.signal)) {
        if (options.signal.aborted) break;
        options.keep(message);
        if ("calibration" in message && message.calibration.final) measured.add(message.calibration.channel.name);
        if ("load" in message) {
          made++;
          count(message.load);
        }
      }
    } catch (error) {
      if (options.signal.aborted) break;
      if (!(error instanceof LaneError) || (made === 0 && ++barren >= maxAttempts)) throw error;
      options.report(`${error.message}; starting another lane`);
    }
    if (made > 0) barren = 0;
  }
  return options.plan.filter((load) => !done.has(plannedKey(load)));
}

/** The chunk's channels that were not measured yet; when all were, that of its first load: links may drift. */
function channelsToCalibrate(chunk: PlannedLoad[], measured: Set<string>): Channel[] {
  const channels = [...new Map(chunk.map(({ condition: { channel } }) => [channel.name, channel])).values()];
  const fresh = channels.filter(({ name }) => !measured.has(name));
  return fresh.length ? fresh : channels.slice(0, 1);
}

/** A lane that ended before its chunk did. */
export class LaneError extends Error {}
