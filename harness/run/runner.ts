import type { LaneMessage, LoadChunk } from "../../schema/lane-messages.ts";
import type { PlannedLoad } from "../../schema/plan.ts";
import type { LoadRecord, TracesKept } from "../../schema/records.ts";
import type { Measuring } from "../../schema/settings.ts";
import type { LanePolicy } from "../../substrate/substrate.ts";
import { observedIn } from "../judge/load/observed.ts";
import type { ChunkSizes } from "../plan/chunk-sizes.ts";
import { Attempts, maxAttempts } from "./attempts.ts";
import { BusyMachine } from "./busy-machine.ts";
import { type Recorded, RecordedChunks } from "./recorded-chunks.ts";
import { leastTriedFirst, roundsOf, type Work } from "./rounds.ts";
import { LaneError, type RunEvent, type StartLane } from "./run-events.ts";
import { inLanes, linkOf, loadChunk, measuringFirst, nextChunk, type Shared } from "./share-work.ts";

export interface RunnerOptions extends Shared {
  plan: PlannedLoad[];
  recorded: Recorded;
  policy: LanePolicy;
  /** The most loads, and the most links, that a chunk has if links cannot drift. */
  sizes: ChunkSizes;
  traces?: TracesKept | undefined;
  startLane: StartLane<LoadChunk>;
  /** Returns the time on a lane's clock when the lane starts this chunk. */
  timeOf(chunk: number): Date;
  /** Records a message before the runner acts on it. An error here stops the run. */
  keep(message: LaneMessage): void;
  report(event: RunEvent): void;
  signal: AbortSignal;
  now?(): number;
}

/** At most this many links are measured again at the start of a chunk. */
const measuredAgain = 2;

/**
 * Makes the planned loads that are missing. Lanes get slices of these loads until each load is made or has had `maxAttempts` attempts.
 * @returns the loads that are still missing @throws the last lane's error, if `maxAttempts` lanes in a row made nothing
 */
export async function runPlan(options: RunnerOptions): Promise<PlannedLoad[]> {
  const { policy } = options;
  const runner = new Runner(options);
  if (policy.links === "hold") await runner.makeInRounds(policy);
  else await runner.makeAsLinksDrift(policy);
  return runner.attempts.missing();
}

type Policy<Links extends LanePolicy["links"]> = Extract<LanePolicy, { links: Links }>;

class Runner {
  readonly attempts: Attempts;
  readonly #options: RunnerOptions;
  readonly #recorded: RecordedChunks;
  readonly #now: () => number;
  /** Link -> its last measurement, and when this measurement ended. */
  readonly #measured = new Map<string, { calibration: string; atMs: number }>();
  readonly #busy = new BusyMachine();
  #nextChunk = 0;
  /** How many lanes in a row ended early without making a load. */
  #barren = 0;

  constructor(options: RunnerOptions) {
    const { plan, recorded, now = Date.now } = options;
    this.#options = options;
    this.#recorded = new RecordedChunks(recorded);
    this.attempts = new Attempts(plan, recorded.loads);
    this.#now = now;
  }

  /** If links may drift: makes loads with one lane at a time, and repeats old measurements of links. */
  async makeAsLinksDrift({ chunkLoads, measureAgainMs }: Policy<"drift">): Promise<void> {
    const { recorded, signal } = this.#options;
    this.#nextChunk = nextChunk(recorded);
    for (let loads = this.attempts.left(); loads.length > 0 && !signal.aborted; loads = this.attempts.left()) {
      const slice = leastTriedFirst(loads.slice(0, chunkLoads));
      await this.#run(this.#chunkOf({ calibrate: this.#toMeasure(slice, measureAgainMs), loads: slice }), 0, signal);
    }
  }

  /** If links cannot drift: makes one round after another. A resumed run starts at the first round, but skips chunks that have all their lines. */
  async makeInRounds({ atOnce }: Policy<"hold">): Promise<void> {
    const { plan, signal, sizes } = this.#options;
    for (const round of roundsOf(plan, this.attempts, sizes)) {
      if (signal.aborted) return;
      await this.#share(round, atOnce);
    }
  }

  /** Chooses the links to measure: links without a measurement or, if all have one, a few links whose measurements are older than `againMs`. */
  #toMeasure(loads: PlannedLoad[], againMs: number): Measuring[] {
    const all = measuringFirst(loads);
    const fresh = all.filter((one) => !this.#measured.has(linkOf(one)));
    if (fresh.length) return fresh;
    const at = (one: Measuring) => this.#measured.get(linkOf(one))!.atMs;
    const notSince = this.#now() - againMs;
    return all
      .filter((one) => at(one) < notSince)
      .sort((a, b) => at(a) - at(b))
      .slice(0, measuredAgain);
  }

  /** Gives lanes the pieces of work that are not recorded yet. @throws the error that stops the run, once the other lanes have ended */
  #share(work: Work[], atOnce: number): Promise<void> {
    const chunks = work.map((piece) => this.#chunkOf(piece)).filter((chunk) => !this.#isRecorded(chunk));
    const { signal } = this.#options;
    return inLanes(chunks, { atOnce, signal }, (chunk, slot, either) => this.#run(chunk, slot, either));
  }

  /** Whether the run's files have all lines of this chunk. Also counts the chunk's recorded loads, and notes its measurements. */
  #isRecorded({ number, calibrate, loads }: LoadChunk): boolean {
    for (const load of this.#recorded.loadsOf(number)) this.attempts.count(load);
    for (const { link, calibration } of this.#recorded.calibrationsOf(number))
      this.#measured.set(link, { calibration, atMs: this.#now() });
    return this.#recorded.has(number, loads, calibrate.map(linkOf));
  }

  #chunkOf({ calibrate, loads }: Work): LoadChunk {
    const links = [...new Set(loads.map(({ condition }) => linkOf(condition.settings)))];
    const known = links.flatMap((link) => {
      const measured = this.#measured.get(link);
      return measured ? [[link, measured.calibration]] : [];
    });
    const calibrations = Object.fromEntries(known);
    return loadChunk(this.#options, { number: this.#nextChunk++, calibrate, calibrations, loads });
  }

  /** If a lane ends early on the virtual clock, starts a second lane, which also ends early unless something outside killed the first. */
  async #run(chunk: LoadChunk, slot: number, signal: AbortSignal): Promise<void> {
    const { report, policy } = this.#options;
    for (let again = policy.links === "hold"; ; again = false) {
      const progress = { made: 0, ready: false };
      report({ kind: "lane starts", chunk });
      try {
        return await this.#runLane(chunk, slot, signal, progress);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof LaneError)) throw error;
        if (again) report({ kind: "lane broke", message: error.message });
        else return this.#laneBroke(error, chunk, progress);
      }
    }
  }

  async #runLane(chunk: LoadChunk, slot: number, signal: AbortSignal, progress: LaneProgress): Promise<void> {
    const { keep, policy, report, startLane, traces } = this.#options;
    for await (const message of startLane(chunk, slot, signal)) {
      if (signal.aborted) return;
      const isNew = this.#recorded.add(chunk.number, message);
      if (isNew) {
        keep(message);
        report({ kind: "message", message, chunk });
      }
      if (message.kind === "lane") progress.ready = true;
      if (message.kind === "calibration" && message.calibration.final) {
        const { link, calibration } = message.calibration;
        this.#measured.set(link, { calibration, atMs: this.#now() });
      }
      if (message.kind !== "load") continue;
      progress.made++;
      this.#barren = 0;
      const { load } = message;
      if (policy.links === "drift") this.#busy.note(load);
      if (isNew) this.attempts.count({ ...load, observed: observedIn(chunk, load, traces) });
    }
  }

  /** @throws the lane's error, if `maxAttempts` lanes in a row made nothing, or if links on the virtual clock could not be measured */
  #laneBroke(error: Error, chunk: LoadChunk, { made, ready }: LaneProgress): void {
    const { policy, report } = this.#options;
    const next = ready ? chunk.loads[made] : undefined;
    // In a repeated chunk, a load that already has its line is not recorded as failed.
    const load = next && !this.#recorded.hasLoad(chunk.number, next) ? next : undefined;
    if (load) this.#recordBroken(error, load, chunk);
    if (policy.links === "hold" && chunk.loads.length === 0) throw error;
    const barren = made === 0 && ++this.#barren >= maxAttempts;
    if (barren && this.attempts.left().length > 0) throw error;
    report({ kind: "lane broke", message: `${load ? `${load.condition.id}: ` : ""}${error.message}` });
  }

  /** Records a failed attempt at the load during which a lane ended. Without this line, a load that ends every lane would be tried forever. */
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
      cause: "lane ended",
    };
    this.#options.keep({ kind: "load", load: failed });
    this.attempts.count({ ...failed, observed: null });
  }
}

interface LaneProgress {
  made: number;
  ready: boolean;
}
