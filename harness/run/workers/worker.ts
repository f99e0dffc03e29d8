import os from "node:os";
import { DelayedError, type Job as QueuedJob, UnrecoverableError, Worker } from "bullmq";
import { z } from "zod";
import { inOneLine } from "../../../schema/foreign-words.ts";
import type { LaneMessage } from "../../../schema/lane-messages.ts";
import { makePrograms } from "../../../servers/made.ts";
import { defaultProcessingMs } from "../../../substrate/choose.ts";
import { type GuestSubstrate, guest } from "../../../substrate/guest/guest.ts";
import { autoLanes } from "../../../substrate/guest/requirements.ts";
import { openOwnFolder, ownFolder, workersFolder } from "../../../substrate/own-folder.ts";
import { laneProcesses } from "../lane-process.ts";
import type { Lifetime } from "../lifetime.ts";
import { LaneError } from "../run-events.ts";
import { serversOf } from "../site-paths.ts";
import { claimCores } from "./claimed-cores.ts";
import { packMessages } from "./packed-messages.ts";
import { asConnection, connectQueue, type Job, jobSchema, queueName } from "./queue.ts";
import { ReceivedPages } from "./received-pages.ts";
import type { Result } from "./received-result.ts";
import { leaveNote, readNotes, refuseOtherVersions } from "./worker-list.ts";

/** A worker renews its lock on a job after half of this time. If it is killed or cut off, another worker gets the job after this time. */
const holdSeconds = 30;
/** How long a worker leaves an audit's job to other workers, if it made the chunk itself. */
const otherWorkerMs = 1000;

interface WorkerOptions {
  lanes: number | "auto";
  root?: string;
  print(text: string): void;
}

/** Makes chunks of all runs that have this worker's versions, until the worker is stopped. @param address as for connectQueue */
export async function work(
  address: string,
  { lanes: asked, root, print }: WorkerOptions,
  lifetime: Lifetime,
): Promise<void> {
  const { signal, onEnd } = lifetime;
  const redis = await connectQueue(address, print);
  onEnd(() => redis.disconnect());
  const lanes = asked === "auto" ? autoLanes() : asked;
  const name = `${os.hostname().replace(/[^\w.-]/g, "-")}-${process.pid}`;
  onEnd(openOwnFolder(workersFolder));
  const substrate = guest(lanes, defaultProcessingMs, root);
  onEnd(await substrate.open(() => {}, signal));
  const versions = substrate.versions();
  refuseOtherVersions(await readNotes(redis, "run"), versions);
  const made = { loads: 0 };
  const since = new Date().toISOString();
  onEnd(await leaveNote(redis, "worker", () => ({ name, since, versions, lanes, loads: made.loads })));
  const { slots: free, giveBack: giveCoresBack } = await claimCores(redis, lanes);
  onEnd(giveCoresBack);
  signal.throwIfAborted();
  const pages = new ReceivedPages(redis, signal);
  onEnd(() => pages.remove());
  const worker = new Worker<Job, Result>(
    queueName(versions),
    async (job, token) => {
      if (job.data.notBy === name) await giveBack(job, token, otherWorkerMs);
      const lane = free.shift()!;
      try {
        const data = checkedJob(job.data);
        await pages.receive(data.chunk.registries.pages);
        const result = await makeChunk(data, { lane, name, substrate, signal });
        if (signal.aborted) await giveBack(job, token, 0);
        made.loads += data.chunk.loads.length;
        return result;
      } finally {
        free.push(lane);
      }
    },
    {
      connection: asConnection(redis),
      concurrency: lanes,
      name,
      lockDuration: holdSeconds * 1000,
      maxStalledCount: Number.MAX_SAFE_INTEGER, // lost machines are no reason to give up a chunk
    },
  );
  worker.on("error", () => {}); // the connection reports its outages
  worker.on("completed", (job) => print(`made chunk ${inOneLine(job.id ?? "")}; ${made.loads} loads so far`));
  worker.on("failed", (job, error) => print(`could not make chunk ${inOneLine(job?.id ?? "")}: ${error.message}`));
  print(`${name} waits for chunks, and makes up to ${lanes} at once; Ctrl-C ends it, and other workers get its chunks`);
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await worker.close();
}

/** @throws UnrecoverableError if a run cannot have sent this job. After this error, no other worker tries the job. */
function checkedJob(data: unknown): Job {
  const parsed = jobSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new UnrecoverableError(`refused, because it is not a valid job of a run:\n${z.prettifyError(parsed.error)}`);
}

/** A result has at most this many characters of the lane's log. */
const brokeCharacters = 10_000;

interface Lane {
  lane: number;
  name: string;
  substrate: GuestSubstrate;
  signal: AbortSignal;
}

async function makeChunk({ chunk, seed, processingMs }: Job, { lane, name, substrate, signal }: Lane): Promise<Result> {
  await makePrograms(serversOf(chunk), signal);
  const messages: LaneMessage[] = [];
  const lanes = laneProcesses(substrate.withProcessing(processingMs), ownFolder(workersFolder), seed);
  try {
    for await (const message of lanes(chunk, lane, signal)) messages.push(message);
    return { worker: name, messages: packMessages(messages) };
  } catch (error) {
    if (!(error instanceof LaneError)) throw error;
    return { worker: name, messages: packMessages(messages), broke: error.message.slice(0, brokeCharacters) };
  }
}

/** Gives a job back at once, without waiting for this worker's lock to expire. @param afterMs for how long no worker may take the job */
async function giveBack(job: QueuedJob, token: string | undefined, afterMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + afterMs, token);
  throw new DelayedError();
}
