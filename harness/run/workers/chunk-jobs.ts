/** Puts chunks into the queue as jobs, waits for the jobs, and removes them. No code in this file relies on what a worker has sent. */
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import type { GuestVersions } from "../../../substrate/guest/guest.ts";
import { asConnection, type Job, queueName } from "./queue.ts";

/** An event may be lost with the connection, so each job is also checked at this interval. */
const lookSeconds = 15;
/** How many times a job is tried. After an error, such as a full disk, another worker may get the job. */
const attempts = 5;
const pauseMs = 2000;
/** The pause before a full queue is tried again. */
const fullMs = 2000;
/** A result is fetched only if it has at most this many bytes, counted after compression and base64. */
export const mostResultBytes = 128e6;

/** How waiting for a job ended. "lost": the queue no longer has the job. */
export type Ending =
  | { kind: "aborted" }
  | { kind: "lost" }
  | { kind: "failed"; reason: string }
  | { kind: "too large"; bytes: number; by: string | undefined }
  | { kind: "made"; result: unknown; by: string | undefined };

export class ChunkJobs {
  readonly #redis: Redis;
  readonly #queue: Queue<Job>;
  readonly #events: QueueEvents;
  readonly #waiting = new Map<string, () => void>();
  readonly #looking: NodeJS.Timeout;
  readonly #print: (text: string) => void;
  #full = "";

  constructor(redis: Redis, versions: GuestVersions, print: (text: string) => void) {
    const connection = asConnection(redis);
    this.#redis = redis;
    this.#print = print;
    this.#queue = new Queue(queueName(versions), { connection });
    this.#events = new QueueEvents(queueName(versions), { connection });
    const wake = ({ jobId }: { jobId: string }) => this.#waiting.get(jobId)?.();
    this.#events.on("completed", wake).on("failed", wake);
    this.#events.on("error", () => {}); // the connection reports its outages
    this.#queue.on("error", () => {});
    this.#looking = setInterval(() => {
      for (const look of this.#waiting.values()) look();
    }, lookSeconds * 1000);
  }

  /** Lets workers make a chunk. If the queue still has this job or its result from an earlier start of the run, no new job is added. */
  async make(jobId: string, data: Job, signal: AbortSignal): Promise<Ending> {
    const before = await this.#queue.getJob(jobId);
    if (before && (await before.isFailed())) await this.remove(jobId);
    await this.#add(jobId, data, signal);
    const ending = await this.#ended(jobId, signal);
    // A job that a worker is making cannot be removed; a resumed run uses its result.
    if (ending.kind === "aborted") await this.remove(jobId).catch(() => {});
    return ending;
  }

  /** Removes a job, unless a worker is making it. */
  remove = (jobId: string): Promise<unknown> => this.#queue.remove(jobId);

  /** Adds a job, and waits while the server's memory or disk is full. */
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

  /** Prints that the queue is full, but not again for each waiting chunk. @param reason empty if the queue is not full */
  #printFull(reason: string): void {
    if (reason !== "" && this.#full === "") this.#print(`the queue accepts no more chunks: ${reason}; waiting`);
    this.#full = reason;
  }

  #ended(jobId: string, signal: AbortSignal): Promise<Ending> {
    return new Promise((resolve, reject) => {
      const end = (ending: Ending | null) => {
        if (ending === null) return;
        this.#waiting.delete(jobId);
        signal.removeEventListener("abort", abort);
        resolve(ending);
      };
      const abort = () => end({ kind: "aborted" });
      const look = () => void this.#endingOf(jobId).then(end).catch(reject);
      this.#waiting.set(jobId, look);
      setMaxListeners(0, signal); // one listener for each chunk in the queue
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
      else look(); // the job may have ended already
    });
  }

  /** @returns null for a job that has not ended */
  async #endingOf(jobId: string): Promise<Ending | null> {
    const key = this.#queue.toKey(jobId);
    const [addedAt, finishedAt, by] = await this.#redis.hmget(key, "timestamp", "finishedOn", "pb"); // pb: processed by
    if (!addedAt) return { kind: "lost" };
    if (!finishedAt) return null;
    const bytes = await this.#redis.hstrlen(key, "returnvalue");
    if (bytes > mostResultBytes) return { kind: "too large", bytes, by: by ?? undefined };
    const job = await this.#queue.getJob(jobId);
    if (!job) return { kind: "lost" };
    if (await job.isFailed()) return { kind: "failed", reason: job.failedReason ?? "it gave no reason" };
    return { kind: "made", result: job.returnvalue, by: job.processedBy };
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    await Promise.all([this.#queue.close(), this.#events.close()]);
  }
}
