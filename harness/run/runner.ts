import type { Chunk, LaneMessage, LoadChunk } from "../../schema/lane-messages.ts";
import { linkName } from "../../schema/link.ts";
import type { Condition, PlannedLoad } from "../../schema/plan.ts";
import type { LoadRecord } from "../../schema/records.ts";
import type { Registries } from "../../schema/registries.ts";
import type { LanePolicy } from "../../substrate/substrate.ts";
import { observedBy } from "../judge/observed.ts";
import type { Manifest } from "../record/manifest.ts";
import { Attempts, maxAttempts, type TriedLoad } from "./attempts.ts";

/** Starts a lane on a chunk, and yields its messages until it ends. @param lane its slot, from 0 @throws LaneError if it ends early */
export type StartLane<Work extends Chunk = Chunk> = (
  chunk: Work,
  lane: number,
  signal: AbortSignal,
) => AsyncIterable<LaneMessage>;

/** What happens in a run. */
export type RunEvent =
  | { kind: "lane starts"; chunk: LoadChunk }
  | { kind: "message"; message: LaneMessage; chunk: LoadChunk }
  | { kind: "lane broke"; message: string };

/** Shows how a run proceeds. */
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
  /** The loads that are not made yet. */
  missing: PlannedLoad[];
}
export type StartProgress = (start: Start) => Progress;

export interface RunnerOptions {
  plan: PlannedLoad[];
  /** Attempts that the run's files have already. */
  recorded: Iterable<TriedLoad>;
  policy: LanePolicy;
  registries: Registries;
  /** Number of the first chunk. */
  firstChunk?: number;
  timeoutMs: number;
  startLane: StartLane<LoadChunk>;
  /** The time on a lane's clock when it starts. */
  timeOf(chunk: number): Date;
  /** Records a message, before it counts. When it throws, the run stops. */
  keep(message: LaneMessage): void;
  report(event: RunEvent): void;
  signal: AbortSignal;
  /** Milliseconds, rising. */
  now?(): number;
}

/** At most so many links are measured again at the start of a chunk. */
const measuredAgain = 2;
/** Links that one lane measures where links hold: starting it takes as long as measuring one. */
const linksAtOnce = 4;

/**
 * Makes every planned load that is missing. Lanes get slices of what is left, again and again, until each load is made or has had
 * `maxAttempts` attempts.
 * @returns the loads that are still missing
 * @throws the last lane's error, when `maxAttempts` lanes in a row made nothing
 */
export async function runPlan(options: RunnerOptions): Promise<PlannedLoad[]> {
  const runner = new Runner(options);
  const { policy, signal } = options;
  if (policy.links === "hold")
    for (let fresh = runner.unmeasured(); fresh.length > 0 && !signal.aborted; fresh = runner.unmeasured())
      await runner.share(slicesOf(fresh, linksAtOnce).map((calibrate) => ({ calibrate, loads: [] })));
  for (let loads = runner.attempts.left(); loads.length > 0 && !signal.aborted; loads = runner.attempts.left()) {
    // Loads with the most attempts come last in each, because they may end the lane.
    const slices = slicesOf(loads, policy.chunkLoads).map((slice) => slice.sort((a, b) => a.attempt - b.attempt));
    const [first = []] = slices;
    if (policy.links === "hold") await runner.share(slices.map((slice) => ({ calibrate: [], loads: slice })));
    else await runner.share([{ calibrate: runner.toMeasure(first, policy.measureAgainMs), loads: first }]);
  }
  return runner.attempts.missing();
}

function slicesOf<Item>(items: Item[], size: number): Item[][] {
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, i) => i * size);
  return starts.map((start) => items.slice(start, start + size));
}

type Work = Pick<LoadChunk, "calibrate" | "loads">;

class Runner {
  readonly attempts: Attempts;
  readonly #options: RunnerOptions;
  readonly #now: () => number;
  /** Link -> its last measurement, and when it ended. */
  readonly #measured = new Map<string, { calibration: string; atMs: number }>();
  #nextChunk: number;
  /** How many lanes in a row ended without making a load or finishing their measurements. */
  #barren = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.attempts = new Attempts(options.plan, options.recorded);
    this.#now = options.now ?? Date.now;
    this.#nextChunk = options.firstChunk ?? 0;
  }

  /** One condition for each link that was not measured yet. */
  unmeasured(loads = this.attempts.left()): Condition[] {
    return conditionsByLink(loads).filter((condition) => !this.#measured.has(linkOf(condition)));
  }

  /** Conditions for the links to measure: those that were not measured yet; else those whose measurements are the oldest. */
  toMeasure(loads: PlannedLoad[], againMs: number): Condition[] {
    const fresh = this.unmeasured(loads);
    if (fresh.length) return fresh;
    const at = (condition: Condition) => this.#measured.get(linkOf(condition))!.atMs;
    const notSince = this.#now() - againMs;
    return conditionsByLink(loads)
      .filter((condition) => at(condition) < notSince)
      .sort((a, b) => at(a) - at(b))
      .slice(0, measuredAgain);
  }

  /** Gives each piece of work to a lane, as many at once as the policy says. @throws what stops the run, once the other lanes have ended */
  async share(work: Work[]): Promise<void> {
    const { policy, signal } = this.#options;
    const chunks = work.map((piece) => this.#chunkOf(piece)).values();
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const atOnce = policy.links === "hold" ? Math.min(policy.atOnce, work.length) : 1;
    const lanes = Array.from({ length: atOnce }, async (_, lane) => {
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

  #chunkOf({ calibrate, loads }: Work): LoadChunk {
    const { registries, timeoutMs } = this.#options;
    const links = [...new Set(loads.map(({ condition }) => linkOf(condition)))];
    const known = links.flatMap((link) => {
      const measured = this.#measured.get(link);
      return measured ? [[link, measured.calibration]] : [];
    });
    return {
      kind: "loads",
      number: this.#nextChunk++,
      calibrate,
      calibrations: Object.fromEntries(known),
      loads,
      registries,
      timeoutMs,
    };
  }

  async #run(chunk: LoadChunk, lane: number, signal: AbortSignal): Promise<void> {
    const { keep, report, startLane } = this.#options;
    const progress = { made: 0, measured: 0, ready: false };
    report({ kind: "lane starts", chunk });
    try {
      for await (const message of startLane(chunk, lane, signal)) {
        if (signal.aborted) return;
        keep(message);
        report({ kind: "message", message, chunk });
        if (message.kind === "lane") progress.ready = true;
        if (message.kind === "calibration" && message.calibration.final) {
          const { link, calibration } = message.calibration;
          progress.measured++;
          this.#measured.set(link, { calibration, atMs: this.#now() });
        }
        if (message.kind === "load") {
          progress.made++;
          this.#barren = 0;
          const { load } = message;
          const planned = chunk.loads.find(({ condition }) => condition.id === load.condition);
          this.attempts.count({ ...load, observed: observedBy(load, planned?.condition, chunk.registries) });
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof LaneError)) throw error;
      const load = progress.ready ? chunk.loads[progress.made] : undefined;
      if (load) this.#recordBroken(error, load, chunk);
      const measuredAll = progress.measured > 0 && chunk.loads.length === 0;
      const barren = progress.made === 0 && !measuredAll && ++this.#barren >= maxAttempts;
      if (barren && this.attempts.left().length > 0) throw error;
      report({ kind: "lane broke", message: `${load ? `${load.condition.id}: ` : ""}${error.message}` });
    }
  }

  /** Records the load that a lane was working on when it ended. Otherwise a load that ends every lane would have no attempts, and never be given up. */
  #recordBroken(error: Error, { block, attempt, condition }: PlannedLoad, chunk: LoadChunk): void {
    const failed: LoadRecord = {
      condition: condition.id,
      ...condition.fields,
      block,
      attempt,
      lane: chunk.number,
      startedAt: this.#options.timeOf(chunk.number).toISOString(),
      wallMs: 0,
      ok: false,
      reason: error.message,
    };
    this.#options.keep({ kind: "load", load: failed });
    this.attempts.count({ ...failed, observed: null });
  }
}

const linkOf = ({ settings }: Condition) => linkName(settings.link);

/** Each link's first condition. */
function conditionsByLink(loads: PlannedLoad[]): Condition[] {
  const first = new Map<string, Condition>();
  for (const { condition } of loads) if (!first.has(linkOf(condition))) first.set(linkOf(condition), condition);
  return [...first.values()];
}

/** A lane that ended before its chunk did. */
export class LaneError extends Error {}
