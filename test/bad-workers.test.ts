/** Workers with wrong results, and a queue that loses chunks: the run records no wrong result, and ends early only if no worker makes the chunk. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Queue, type Job as QueuedJob, Worker } from "bullmq";
import type { Redis } from "ioredis";
import pWaitFor from "p-wait-for";
import { QueueServer } from "../bench/chaos/queue-server.ts";
import { blockRun } from "../harness/record/find-run.ts";
import { readRun } from "../harness/record/records.ts";
import { packMessages } from "../harness/run/workers/packed-messages.ts";
import { asConnection, connectQueue, queueName } from "../harness/run/workers/queue.ts";
import { RemoteLanes } from "../harness/run/workers/remote-lanes.ts";
import { leaveNote } from "../harness/run/workers/worker-list.ts";
import { registries } from "../harness/tables/synthetic-loads.fixture.ts";
import type { LaneMessage, LoadChunk } from "../schema/lane-messages.ts";

const versions = { guestRoot: "root", kernelImage: "kernel", labFiles: "files" };
const name = queueName(versions);
const [recordedLane] = readRun(blockRun).lanes;
const chunkOf = (number: number): LoadChunk => ({
  ...{ kind: "loads", number, calibrate: [], calibrations: {}, loads: [], timeoutMs: 1000, registries },
});
const laneOf = (number: number): LaneMessage => ({ kind: "lane", lane: { ...recordedLane!, lane: number } });
const good = ({ data }: QueuedJob) => ({ worker: "good-1", messages: packMessages([laneOf(data.chunk.number)]) });

let server: QueueServer;
let redis: Redis;
before(async () => {
  server = await QueueServer.start("open-sesame");
  redis = await connectQueue(server.address, () => {});
});
after(() => {
  redis?.disconnect();
  server?.end();
});

/** Starts a run of one chunk. */
function start(run: string, firstPauseMs?: number) {
  const printed: string[] = [];
  const aborting = new AbortController();
  let sentAgain = 0;
  const lanes = new RemoteLanes({
    ...{ redis, run, versions, seed: 1, processingMs: 0, auditedShare: 0, print: (text) => void printed.push(text) },
    sendAgain: async () => void sentAgain++,
    ...(firstPauseMs !== undefined && { firstPauseMs }),
  });
  const messages = (async () => {
    const found: LaneMessage[] = [];
    for await (const message of lanes.start(chunkOf(0), 0, aborting.signal)) found.push(message);
    return found;
  })();
  messages.catch(() => {}); // otherwise a rejection before the await would be unhandled
  return { lanes, messages, printed, aborting, sentAgain: () => sentAgain };
}
const worker = (answer: (job: QueuedJob) => unknown, as?: string) =>
  new Worker(name, async (job) => answer(job), {
    connection: asConnection(redis),
    ...(as !== undefined && { name: as }),
  });
const until = (condition: () => boolean | Promise<boolean>) => pWaitFor(condition, { interval: 50, timeout: 60_000 });

const bad: [what: string, answer: unknown][] = [
  ["a gzip bomb", { worker: "bad-1", messages: gzipSync(Buffer.alloc(1e9, 10)).toString("base64") }],
  ["garbage", { worker: "bad-1", messages: "AAAA" }],
  ["an object of another shape", { hello: 1 }],
  ["no messages", { worker: "bad-1", messages: packMessages([]) }],
  ["another chunk's lane", { worker: "bad-1", messages: packMessages([laneOf(7)]) }],
  ["terminal control codes in its name", { worker: "bad-1\x1b[31m\n::error::x", messages: packMessages([laneOf(0)]) }],
  ["a lane that never starts", { worker: "bad-1", messages: packMessages([]), broke: "\x1b[2J" }],
];
for (const [what, answer] of bad)
  test(`if a worker answers with ${what}, the run prints a message, and another worker makes the chunk`, async () => {
    const run = start(what.replace(/\W/g, "-"));
    const first = worker(() => answer);
    await until(() => run.printed.length > 0);
    await first.close();
    const second = worker(good);
    assert.deepEqual(await run.messages, [laneOf(0)]);
    assert.match(run.printed[0]!, what === "an object of another shape" ? /gives no name/ : /bad-1/);
    assert.ok(run.printed.every((text) => !text.includes("\n") && !text.includes("bad-1\x1b")));
    await Promise.all([second.close(), run.lanes.close()]);
  });

const broken = { worker: "bad-1", messages: packMessages([]), broke: "it does not start" };

test("a worker whose lanes never start does not end a run while another worker exists", async () => {
  const note = { name: "good-1", since: new Date().toISOString(), versions, lanes: 1, loads: 0 };
  const takeAway = await leaveNote(redis, "worker", () => note);
  const run = start("never-starts", 1);
  const first = worker(() => broken);
  await until(() => run.printed.length > 8);
  await first.close();
  const second = worker(good);
  assert.deepEqual(await run.messages, [laneOf(0)]);
  takeAway();
  await Promise.all([second.close(), run.lanes.close()]);
});

const misnamed: [what: string, answer: unknown, why: RegExp][] = [
  ["no name", { hello: 1 }, /the result of bad-3 was refused/],
  ["a number as its name", { worker: 1 }, /the result of bad-3 was refused/],
  ["another worker's name", { worker: "good-1", messages: "AAAA" }, /the result of bad-3 was refused/],
  ["another worker's name and a lane that never starts", { ...broken, worker: "good-1" }, /bad-3: it does not start/],
];
for (const [what, answer, why] of misnamed)
  test(`a bad result with ${what} is attributed to the worker that sent it, and ends the run if there is no other worker`, async () => {
    const note = { name: "bad-3", since: new Date().toISOString(), versions, lanes: 1, loads: 0 };
    const takeAway = await leaveNote(redis, "worker", () => note);
    const run = start(what.replace(/\W/g, "-"), 1);
    let answers = 0;
    const first = worker(() => {
      if (++answers > 10) run.aborting.abort();
      return answer;
    }, "bad-3");
    await assert.rejects(run.messages, why);
    takeAway();
    await Promise.all([first.close(), run.lanes.close()]);
  });

test("a run ends with the last worker's reason if all workers fail to make a chunk", async () => {
  const run = start("fails", 1);
  const first = worker(() => broken);
  await assert.rejects(run.messages, /^Error: bad-1: it does not start$/);
  assert.equal(run.printed.length, 5);
  await Promise.all([first.close(), run.lanes.close()]);
});

test("a run ends if all results of all workers are refused; its message names a worker and the reason", async () => {
  const run = start("useless", 1);
  const first = worker(() => ({ worker: "bad-1", messages: "AAAA" }));
  await assert.rejects(run.messages, /could make chunk 0: the result of bad-1 was refused, because .* unpacked/);
  await Promise.all([first.close(), run.lanes.close()]);
});

test("a result above the size limit is refused; the message names the worker and the limit", async () => {
  const run = start("too-large");
  const first = worker(() => "x".repeat(128.3e6), "bad-2");
  await until(() => run.printed.length > 0);
  run.aborting.abort();
  assert.match(run.printed[0]!, /worker bad-2 for chunk 0: it has 129 MB, but the run accepts at most 128 MB/);
  await Promise.all([first.close(), run.lanes.close()]);
});

test("wrong results from before an interruption do not end the resumed run", async () => {
  const queue = new Queue(name, { connection: asConnection(redis) });
  await queue.add("chunk", { chunk: chunkOf(0) }, { jobId: "earlier-0" });
  const first = worker(() => ({ worker: "bad-1", messages: "AAAA" }));
  await until(async () => (await queue.getJobState("earlier-0")) === "completed");
  await first.close();
  const run = start("earlier");
  const second = worker(good);
  assert.deepEqual(await run.messages, [laneOf(0)]);
  await Promise.all([second.close(), run.lanes.close(), queue.close()]);
});

test("a resumed run waits while a worker retries a chunk", async () => {
  const queue = new Queue(name, { connection: asConnection(redis) });
  let tries = 0;
  let finish = () => {};
  const first = worker(async (job) => {
    if (++tries === 1) throw new Error("the disk was full");
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return good(job);
  });
  await queue.add("chunk", { chunk: chunkOf(0) }, { jobId: "tried-0", attempts: 5 });
  await until(() => tries === 2);
  const run = start("tried");
  await new Promise((resolve) => setTimeout(resolve, 500)); // the run finds the job, which still records why its first attempt failed
  finish();
  assert.deepEqual(await run.messages, [laneOf(0)]);
  assert.equal(tries, 2);
  await Promise.all([first.close(), run.lanes.close(), queue.close()]);
});

test("chunks and pages that the queue has lost are sent again", async () => {
  const run = start("lost");
  const queue = new Queue(name, { connection: asConnection(redis) });
  await until(async () => (await queue.getJob("lost-0")) !== undefined);
  await redis.flushall();
  await until(() => run.printed.length > 0); // the run checks every 15 seconds
  assert.match(run.printed[0]!, /the queue has lost chunk 0; the run adds it again/);
  const second = worker(good);
  assert.deepEqual(await run.messages, [laneOf(0)]);
  assert.equal(run.sentAgain(), 1);
  await Promise.all([second.close(), run.lanes.close(), queue.close()]);
});

test("a run that is stopped while it waits to retry a chunk ends at once", async () => {
  const run = start("stopped");
  const first = worker(() => ({ worker: "bad-1", messages: "AAAA" }));
  await until(() => run.printed.length > 1);
  run.aborting.abort();
  assert.deepEqual(await run.messages, []);
  await Promise.all([first.close(), run.lanes.close()]);
});
