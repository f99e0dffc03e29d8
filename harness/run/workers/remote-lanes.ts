import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { inOneLine } from "../../../schema/foreign-words.ts";
import type { LoadChunk } from "../../../schema/lane-messages.ts";
import type { GuestVersions } from "../../../substrate/guest/guest.ts";
import { LaneError, type StartLane } from "../run-events.ts";
import { isAudited, refuseDifference } from "./audit.ts";
import { ChunkJobs, type Ending } from "./chunk-jobs.ts";
import { type Job, versionDifferences } from "./queue.ts";
import { type Received, RefusedResult, receivedResult } from "./received-result.ts";
import { type Note, readNotes } from "./worker-list.ts";

/** A chunk is put into the queue again after a pause that doubles each time, up to the longest. */
const pausesMs = { first: 1000, longest: 30_000 };
/**
 * A chunk ends the run after this many failed jobs, or this many lanes that never started. Lanes that never started do not end the run while
 * another worker could make the chunk: like refused results, they are then the worker's fault, not the chunk's.
 */
const mostFailures = 6;

interface RemoteOptions {
  redis: Redis;
  /** Identifies the run in the queue, so that a resumed run finds what workers made meanwhile. */
  run: string;
  versions: GuestVersions;
  seed: number;
  processingMs: number;
  /** The share of chunks that two workers make, from 0 to 1. */
  auditedShare: number;
  /** For tests, which use a shorter pause. */
  firstPauseMs?: number;
  print(text: string): void;
  /** Called when the queue has lost chunks, because it has then lost the pages, too. */
  sendAgain?(): Promise<void>;
}

/** Lanes on other machines. Each chunk is a job whose result has all messages, so a worker that is killed leaves no partial results. */
export class RemoteLanes {
  readonly #options: RemoteOptions;
  readonly #jobs: ChunkJobs;
  /** Worker -> how many of its results were refused. */
  readonly #refused = new Map<string, number>();

  constructor(options: RemoteOptions) {
    const { redis, versions, print } = options;
    this.#options = options;
    this.#jobs = new ChunkJobs(redis, versions, print);
  }

  readonly start: StartLane<LoadChunk> = (chunk, _, signal) => this.#made(chunk, signal);

  async *#made(chunk: LoadChunk, signal: AbortSignal): ReturnType<StartLane> {
    const { run, seed, processingMs, auditedShare } = this.#options;
    const [jobId, auditId] = [`${run}-${chunk.number}`, `${run}-${chunk.number}-audit`];
    const result = await this.#receive(jobId, { chunk, seed, processingMs }, signal);
    if (!result) return; // aborted
    if (isAudited(jobId, auditedShare)) {
      const again = await this.#receive(auditId, { chunk, seed, processingMs, notBy: result.worker }, signal);
      if (!again) return;
      refuseDifference(chunk.number, result, again);
      await this.#jobs.remove(auditId);
    }
    yield* result.messages;
    await this.#jobs.remove(jobId);
    if (result.broke !== undefined) throw new LaneError(`${result.worker}: ${result.broke}`);
  }

  /** @returns null when the run was aborted @throws LaneError if no worker could make the chunk */
  async #receive(jobId: string, data: Job & { chunk: LoadChunk }, signal: AbortSignal): Promise<Received | null> {
    const { number } = data.chunk;
    const failedBy = new Set(data.notBy === undefined ? [] : [data.notBy]);
    const failures = { jobs: 0, lanes: 0 };
    for (
      let pauseMs = this.#options.firstPauseMs ?? pausesMs.first;
      ;
      pauseMs = Math.min(2 * pauseMs, pausesMs.longest)
    ) {
      const ending = await this.#jobs.make(jobId, data, signal);
      if (ending.kind === "aborted") return null;
      if (ending.kind === "lost") await this.#afterLoss(number);
      else if (ending.kind === "failed") {
        if (++failures.jobs === mostFailures)
          throw new LaneError(`no worker could make chunk ${number}: ${ending.reason}`);
        this.#options.print(`no worker could make chunk ${number}: ${inOneLine(ending.reason)}; trying again`);
      } else {
        const received = this.#accepted(ending, data.chunk);
        const isReady = received?.messages.some(({ kind }) => kind === "lane");
        if (received && (received.broke === undefined || isReady)) return received;
        if (received) {
          failedBy.add(received.worker);
          if (++failures.lanes >= mostFailures && !(await this.#hasOthers(failedBy))) return received;
          this.#options.print(`trying chunk ${number} again; ${received.worker}: ${inOneLine(received.broke!)}`);
        }
      }
      await this.#jobs.remove(jobId);
      const isAborted = await sleep(pauseMs, false, { signal }).catch(() => true);
      if (isAborted) return null;
    }
  }

  /** Whether there is another worker that takes this run's chunks. */
  async #hasOthers(names: ReadonlySet<string>): Promise<boolean> {
    const workers = await readNotes(this.#options.redis, "worker");
    const takesThem = ({ versions }: Note) => versionDifferences(versions, this.#options.versions).length === 0;
    return workers.some((one) => takesThem(one) && !names.has(one.name));
  }

  /** @returns null for a result that is refused */
  #accepted(ending: Extract<Ending, { kind: "made" | "too large" }>, chunk: LoadChunk): Received | null {
    try {
      if (ending.kind === "too large") throw new RefusedResult(`it has ${Math.round(ending.bytes / 1e6)} MB`);
      return receivedResult(ending.result, chunk);
    } catch (error) {
      if (!(error instanceof RefusedResult)) throw error;
      this.#printRefusal(workerOf(ending), chunk.number, error.message);
      return null;
    }
  }

  /** A worker may send many refused results per second, so only the first, second, fourth and so on are printed. */
  #printRefusal(worker: string, chunk: number, why: string): void {
    const count = 1 + (this.#refused.get(worker) ?? 0);
    this.#refused.set(worker, count);
    if (!Number.isInteger(Math.log2(count))) return;
    const total = count === 1 ? "" : ` (${count} results of this worker were refused)`;
    this.#options.print(
      `refused the result of worker ${worker} for chunk ${chunk}: ${inOneLine(why)}; the chunk is tried again${total}`,
    );
  }

  async #afterLoss(chunk: number): Promise<void> {
    this.#options.print(`the queue has lost chunk ${chunk}; it is put in again`);
    await this.#options.sendAgain?.();
  }

  close = (): Promise<void> => this.#jobs.close();
}

const shownCharacters = 100;

/** The worker's name in its result, or else in the queue. */
function workerOf(ending: Ending): string {
  const { result, by } = ending.kind === "made" ? ending : { result: null, by: undefined };
  const named = typeof result === "object" && result !== null && "worker" in result ? result.worker : by;
  return typeof named === "string" ? inOneLine(named.slice(0, shownCharacters)) : "(it gives no name)";
}
