import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { inOneLine } from "../../../schema/foreign-words.ts";
import type { LoadChunk } from "../../../schema/lane-messages.ts";
import type { GuestVersions } from "../../../substrate/guest/guest.ts";
import { LaneError, type StartLane } from "../run-events.ts";
import { isAudited, refuseDifference } from "./audit.ts";
import { ChunkJobs, type Ending, mostResultBytes } from "./chunk-jobs.ts";
import { type Job, versionDifferences } from "./queue.ts";
import { type Received, RefusedResult, receivedResult } from "./received-result.ts";
import { type Note, readNotes } from "./worker-list.ts";

/** The pause before a chunk is put into the queue again. It doubles each time, up to `longest`. */
const pausesMs = { first: 1000, longest: 30_000 };
/**
 * A chunk is given up after this many failed jobs, or, once every worker has tried the chunk, after this many useless results. A result is
 * useless if the run refuses it, or if the lane ended before it described itself.
 */
const mostFailures = 6;

interface RemoteOptions {
  redis: Redis;
  /** Identifies the run in the queue, so that a resumed run finds what workers made while the run was stopped. */
  run: string;
  versions: GuestVersions;
  seed: number;
  processingMs: number;
  auditedShare: number;
  /** In tests: the first pause, instead of `pausesMs.first`. */
  firstPauseMs?: number;
  print(text: string): void;
  /** Sends the pages again, because a queue that has lost a chunk may have lost the pages, too. */
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
    const failures = { jobs: 0, results: 0 };
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
        const result = this.#received(ending, data.chunk);
        const { worker } = result;
        if (!("refused" in result) && (result.broke === undefined || isReady(result))) return result;
        failedBy.add(worker);
        if (++failures.results >= mostFailures && !(await this.#hasOthers(failedBy))) {
          if (!("refused" in result)) return result;
          throw new LaneError(
            `no worker could make chunk ${number}: the result of ${worker} was refused, because ${inOneLine(result.refused)}`,
          );
        }
        if ("refused" in result) this.#printRefusal(worker, number, result.refused);
        else this.#options.print(`trying chunk ${number} again; ${worker}: ${inOneLine(result.broke!)}`);
      }
      await this.#jobs.remove(jobId);
      const isAborted = await sleep(pauseMs, false, { signal }).catch(() => true);
      if (isAborted) return null;
    }
  }

  async #hasOthers(names: ReadonlySet<string>): Promise<boolean> {
    const workers = await readNotes(this.#options.redis, "worker");
    const takesThem = ({ versions }: Note) => versionDifferences(versions, this.#options.versions).length === 0;
    return workers.some((one) => takesThem(one) && !names.has(one.name));
  }

  #received(ending: Extract<Ending, { kind: "made" | "too large" }>, chunk: LoadChunk): Received | Refusal {
    try {
      if (ending.kind === "made") return { ...receivedResult(ending.result, chunk), worker: workerOf(ending) };
      const [has, most] = [ending.bytes, mostResultBytes].map((bytes) => `${Math.ceil(bytes / 1e6)} MB`);
      throw new RefusedResult(`it has ${has}, but the run accepts at most ${most}`);
    } catch (error) {
      if (!(error instanceof RefusedResult)) throw error;
      return { worker: workerOf(ending), refused: error.message };
    }
  }

  /** A worker may send many refused results per second, so only the 1st, 2nd, 4th, 8th and so on are printed. */
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
    this.#options.print(`the queue has lost chunk ${chunk}; the run adds it again`);
    await this.#options.sendAgain?.();
  }

  close = (): Promise<void> => this.#jobs.close();
}

interface Refusal {
  worker: string;
  refused: string;
}

const isReady = ({ messages }: Received): boolean => messages.some(({ kind }) => kind === "lane");

const shownCharacters = 100;

/** Prefers the name in the queue's own field, because a worker can write another worker's name into a result. */
function workerOf(ending: Extract<Ending, { kind: "made" | "too large" }>): string {
  const result = ending.kind === "made" ? ending.result : null;
  const named = ending.by ?? (typeof result === "object" && result !== null && "worker" in result && result.worker);
  return typeof named === "string" ? inOneLine(named.slice(0, shownCharacters)) : "(it gives no name)";
}
