import { type Condition, flatten, type LoadRecord, type PlannedLoad } from "../../schema/model.ts";
import type { Chunk, LaneMessage } from "../lane/chunk.ts";
import { Attempts, maxAttempts } from "./attempts.ts";

/** Starts a lane on a chunk; its messages end when it does, and throw when it broke. @param lane counted from 0 */
export type StartLane = (chunk: Chunk, lane: number, signal: AbortSignal) => AsyncIterable<LaneMessage>;

/** How a plan is shared out to lanes. */
export interface LanePolicy {
  atOnce: number;
  /** A lane ends after so many loads, whatever it has gathered meanwhile. */
  chunkLoads: number;
  /**
   * A channel is measured again with a further lane when its measurement is this old, two with each: links may drift.
   * null, for a clock on which they cannot: each is measured once, by a lane of its own, before all loads; and which
   * loads share a lane depends on the plan alone.
   */
  calibrateAgainMs: number | null;
}

export interface RunnerOptions {
  plan: PlannedLoad[];
  /** What earlier lanes have recorded. */
  recorded: LoadRecord[];
  policy: LanePolicy;
  /** Number of the first chunk. */
  firstChunk?: number;
  /** Whether a condition's times (ms) say so much that no more loads of it are to be made; asked after each block. */
  enough?: (timesMs: number[]) => boolean;
  timeoutMs: number;
  startLane: StartLane;
  /** What the lanes' clock says when one begins. */
  timeOf(chunk: number): Date;
  /** Called with every message before it counts; when it throws, the run stops. */
  keep(message: LaneMessage): void;
  report(text: string): void;
  signal: AbortSignal;
  /** Milliseconds, rising. */
  now?(): number;
}

const calibratedAgain = 2;

/**
 * Make every planned load that has not been made: lanes get slices of what is left, again and again, until all loads
 * are there or were tried `maxAttempts` times.
 * @returns the loads that are still missing
 * @throws what a lane threw, when it and those before it made nothing at all
 */
export async function runPlan(options: RunnerOptions): Promise<PlannedLoad[]> {
  const runner = new Runner(options);
  const { calibrateAgainMs } = options.policy;
  if (calibrateAgainMs === null)
    for (let fresh = runner.unmeasured(); fresh.length > 0 && !options.signal.aborted; fresh = runner.unmeasured())
      await runner.share(fresh.map((condition) => ({ calibrate: [condition], loads: [] })));
  for (
    let loads = runner.attempts.left();
    loads.length > 0 && !options.signal.aborted;
    loads = runner.attempts.left()
  ) {
    const slices = slicesOf(options.enough ? firstBlock(loads) : loads, options.policy.chunkLoads);
    if (calibrateAgainMs === null) await runner.share(slices.map((slice) => ({ calibrate: [], loads: slice })));
    else
      await runner.share(
        slices.slice(0, 1).map((slice) => ({ calibrate: runner.toMeasure(slice, calibrateAgainMs), loads: slice })),
      );
  }
  return runner.attempts.missing();
}

/** In the plan's order, but what broke lanes comes last in each. */
function slicesOf(loads: PlannedLoad[], size: number): PlannedLoad[][] {
  const starts = Array.from({ length: Math.ceil(loads.length / size) }, (_, i) => i * size);
  return starts.map((start) => loads.slice(start, start + size).sort((a, b) => a.attempt - b.attempt));
}

function firstBlock(loads: PlannedLoad[]): PlannedLoad[] {
  const first = Math.min(...loads.map(({ block }) => block));
  return loads.filter(({ block }) => block === first);
}

type Work = Pick<Chunk, "calibrate" | "loads">;

class Runner {
  readonly attempts: Attempts;
  readonly #options: RunnerOptions;
  readonly #now: () => number;
  /** Channel -> when. */
  readonly #measured = new Map<string, number>();
  #nextChunk: number;
  /** Lanes in a row that made nothing. */
  #barren = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.attempts = new Attempts(options.plan, options.recorded, options.enough);
    this.#now = options.now ?? Date.now;
    this.#nextChunk = options.firstChunk ?? 0;
  }

  /** A condition for each channel of what is left that was not measured yet. */
  unmeasured(loads = this.attempts.left()): Condition[] {
    return conditionsByChannel(loads).filter(({ channel }) => !this.#measured.has(channel.name));
  }

  /** For channels that were not measured yet; when all were, for those whose measurement is oldest. */
  toMeasure(loads: PlannedLoad[], againMs: number): Condition[] {
    const fresh = this.unmeasured(loads);
    if (fresh.length) return fresh;
    const at = ({ channel }: Condition) => this.#measured.get(channel.name)!;
    const notSince = this.#now() - againMs;
    return conditionsByChannel(loads)
      .filter((condition) => at(condition) < notSince)
      .sort((a, b) => at(a) - at(b))
      .slice(0, calibratedAgain);
  }

  /** Hand the work out, a lane a piece, as many at once as the policy says. @throws what stops the run; the other lanes are ended then */
  async share(work: Work[]): Promise<void> {
    const { policy, signal, timeoutMs } = this.#options;
    const chunks = work.map((piece): Chunk => ({ number: this.#nextChunk++, ...piece, timeoutMs })).values();
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const lanes = Array.from({ length: Math.min(policy.atOnce, work.length) }, async (_, lane) => {
      for (const chunk of chunks) {
        if (either.aborted) return;
        await this.#run(chunk, lane, either);
      }
    });
    const ends = await Promise.allSettled(
      lanes.map((lane) =>
        lane.catch((error: unknown) => {
          stop.abort();
          throw error;
        }),
      ),
    );
    const failed = ends.find((end) => end.status === "rejected");
    if (failed) throw failed.reason;
  }

  async #run(chunk: Chunk, lane: number, signal: AbortSignal): Promise<void> {
    const { keep, report, startLane } = this.#options;
    const progress = { made: 0, measured: 0, ready: false };
    try {
      for await (const message of startLane(chunk, lane, signal)) {
        if (signal.aborted) return;
        keep(message);
        if ("environment" in message) progress.ready = true;
        if ("calibration" in message && message.calibration.final) {
          progress.measured++;
          this.#measured.set(message.calibration.channel.name, this.#now());
        }
        if ("load" in message) {
          progress.made++;
          this.#barren = 0;
          this.attempts.count(message.load);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof LaneError)) throw error;
      this.#broken(error, progress.ready ? chunk.loads[progress.made] : undefined, chunk.number);
      if (
        progress.made === 0 &&
        !(progress.measured && chunk.loads.length === 0) &&
        ++this.#barren >= maxAttempts &&
        this.attempts.left().length > 0
      )
        throw error;
      report(`${error.message}; starting another lane`);
    }
  }

  /** The load that a lane was at when it ended is recorded: else a load that breaks every lane would leave no trace. */
  #broken({ message }: Error, load: PlannedLoad | undefined, chunk: number): void {
    if (!load) return;
    const { block, attempt, condition } = load;
    const failed: LoadRecord = {
      ...flatten(condition),
      block,
      attempt,
      startedAt: this.#options.timeOf(chunk).toISOString(),
      wallMs: 0,
      ok: false,
      reason: message,
    };
    this.#options.keep({ load: failed });
    this.attempts.count(failed);
  }
}

/** Each channel's first condition. */
function conditionsByChannel(loads: PlannedLoad[]): Condition[] {
  const first = new Map<string, Condition>();
  for (const { condition } of loads)
    if (!first.has(condition.channel.name)) first.set(condition.channel.name, condition);
  return [...first.values()];
}

/** A lane that ended before its chunk did. */
export class LaneError extends Error {}
