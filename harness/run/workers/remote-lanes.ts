import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue, type Job as QueuedJob, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import type { LoadChunk } from "../../../schema/lane-messages.ts";
import type { GuestVersions } from "../../../substrate/guest.ts";
import { LaneError, type StartLane } from "../run-events.ts";
import { isAudited, refuseDifference } from "./audit.ts";
import { asConnection, type Job, queueName, type Result, resultSchema, unpackMessages } from "./queue.ts";

/** An event may be lost with the connection, so each job is also looked at this often. */
const lookSeconds = 15;
/** A job that ends with an error, such as a full disk, is given to another worker. */
const attempts = 5;
const pauseMs = 2000;
/** A queue that is full is asked again after it. */
const fullMs = 2000;

interface RemoteOptions {
  redis: Redis;
  /** Names the run in the queue: a resumed run finds what workers made meanwhile. */
  run: string;
  versions: GuestVersions;
  seed: number;
  processingMs: number;
  /** The share of chunks that two workers make, from 0 to 1. */
  auditedShare: number;
  print(text: string): void;
}

/** Lanes on other machines. A chunk is a job; its result holds all messages, so that a worker that is killed leaves nothing half. */
export class RemoteLanes {
  readonly #options: RemoteOptions;
  readonly #queue: Queue<Job, Result>;
  readonly #events: QueueEvents;
  readonly #waiting = new Map<string, () => void>();
  readonly #looking: NodeJS.Timeout;
  #full = "";

  constructor(options: RemoteOptions) {
    const { redis, versions } = options;
    this.#options = options;
    this.#queue = new Queue(queueName(versions), { connection: asConnection(redis) });
    this.#events = new QueueEvents(queueName(versions), { connection: asConnection(redis) });
    const wake = ({ jobId }: { jobId: string }) => this.#waiting.get(jobId)?.();
    this.#events.on("completed", wake).on("failed", wake);
    this.#events.on("error", () => {}); // the connection reports its outages
    this.#queue.on("error", () => {});
    this.#looking = setInterval(() => {
      for (const look of this.#waiting.values()) look();
    }, lookSeconds * 1000);
  }

  readonly start: StartLane<LoadChunk> = (chunk, _, signal) => this.#made(chunk, signal);

  async *#made(chunk: LoadChunk, signal: AbortSignal): ReturnType<StartLane> {
    const { run, seed, processingMs, auditedShare } = this.#options;
    const [jobId, auditId] = [`${run}-${chunk.number}`, `${run}-${chunk.number}-audit`];
    const result = await this.#resultOf(jobId, { chunk, seed, processingMs }, signal);
    if (!result) return; // aborted
    if (isAudited(jobId, auditedShare)) {
      const again = await this.#resultOf(auditId, { chunk, seed, processingMs, notBy: result.worker }, signal);
      if (!again) return;
      refuseDifference(chunk.number, result, again);
      await this.#queue.remove(auditId);
    }
    yield* unpackMessages(result.messages);
    await this.#queue.remove(jobId);
    if (result.broke !== undefined) throw new LaneError(`${result.worker}: ${result.broke}`);
  }

  /** @returns null when the run was aborted @throws LaneError when no worker could make it */
  async #resultOf(jobId: string, data: Job, signal: AbortSignal): Promise<Result | null> {
    const before = await this.#queue.getJob(jobId);
    if (before?.failedReason) await before.remove(); // by an earlier start of the run
    await this.#add(jobId, data, signal);
    const job = await this.#ended(jobId, signal);
    if (!job) {
      await this.#queue.remove(jobId).catch(() => {}); // not one that a worker is making: a resumed run takes its result
      return null;
    }
    if (!job.returnvalue) throw new LaneError(`no worker could make chunk ${data.chunk.number}: ${job.failedReason}`);
    return resultSchema.parse(job.returnvalue);
  }

  /** Waits while the server's memory or disk is full. */
  async #add(jobId: string, data: Job, signal: AbortSignal): Promise<void> {
    while (!signal.aborted)
      try {
        await this.#queue.add("chunk", data, { jobId, attempts, backoff: pauseMs });
        return this.#printFull("");
      } catch (error) {
        const { message } = error as Error;
        if (!/^(OOM|MISCONF) /.test(message)) throw error;
        this.#printFull(message);
        await sleep(fullMs);
      }
  }

  /** Once, although many chunks wait. @param reason empty when it is not full */
  #printFull(reason: string): void {
    if (reason !== "" && this.#full === "") this.#options.print(`the queue takes no more chunks: ${reason}; waiting`);
    this.#full = reason;
  }

  /** @returns the job when it has a result or has failed; null when the run was aborted before */
  #ended(jobId: string, signal: AbortSignal): Promise<QueuedJob<Job, Result> | null> {
    return new Promise((resolve, reject) => {
      const end = (job: QueuedJob<Job, Result> | null) => {
        this.#waiting.delete(jobId);
        signal.removeEventListener("abort", abort);
        resolve(job);
      };
      const abort = () => end(null);
      const look = () =>
        void this.#queue
          .getJob(jobId)
          .then((job) => job?.finishedOn && end(job))
          .catch(reject);
      this.#waiting.set(jobId, look);
      setMaxListeners(0, signal); // one for each chunk in the queue
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
      else look(); // it may have ended before
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await Promise.all([this.#queue.close(), this.#events.close()]);
  }
}
