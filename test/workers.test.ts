/** A run with workers has the same digest as a run without workers. The queue's server is real. all/workers.test.ts kills workers and the server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "bullmq";
import pWaitFor from "p-wait-for";
import { freePort } from "../bench/chaos/queue-server.ts";
import { blockRun } from "../harness/record/find-run.ts";
import { readRun } from "../harness/record/records.ts";
import { claimCores } from "../harness/run/workers/claimed-cores.ts";
import { packMessages } from "../harness/run/workers/packed-messages.ts";
import { asConnection, connectQueue, queueName } from "../harness/run/workers/queue.ts";
import { RemoteLanes } from "../harness/run/workers/remote-lanes.ts";
import { registries } from "../harness/tables/synthetic-loads.fixture.ts";
import type { LaneMessage, LoadChunk } from "../schema/lane-messages.ts";
import { cores } from "../substrate/cores.ts";
import { digestOf, lab, makeRun, server } from "./worker-lab.ts";

test("a run with a worker has the same digest as a run without workers", async () => {
  const oneLoad = [...makeRun, "--loads", "1", "--only", "protocol=h2"];
  const alone = await digestOf(lab(...oneLoad));
  const worker = lab("worker", server.address, "--lanes", "1");
  assert.equal(await digestOf(lab(...oneLoad, "--workers", server.address)), alone);
  worker.child.kill("SIGINT");
  assert.equal((await worker.ended).code, 130);
});

test("workers of one machine take different cores while cores are free, and release them", async () => {
  const redis = await connectQueue(server.address, assert.fail);
  const all = cores().map((_, slot) => slot);
  const first = await claimCores(redis, 1, "a machine");
  const second = await claimCores(redis, all.length, "a machine");
  assert.deepEqual(first.slots, [0]);
  assert.deepEqual(second.slots.slice(0, -1), all.slice(1));
  assert.ok(second.slots.at(-1)! >= all.length, "it shares a core");
  first.giveBack();
  assert.deepEqual((await claimCores(redis, 1, "a machine")).slots, [0]);
  assert.deepEqual((await claimCores(redis, 1, "another machine")).slots, [0]);
  redis.disconnect();
});

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

test("a run waits while its queue's memory is full, and continues afterwards", async () => {
  const redis = await connectQueue(server.address, assert.fail);
  const printed: string[] = [];
  const versions = { guestRoot: "root", kernelImage: "kernel", labFiles: "files" };
  const options = { run: "full", versions, seed: 1, processingMs: 0, auditedShare: 0 };
  const lanes = new RemoteLanes({ redis, ...options, print: (text) => printed.push(text) });
  await redis.config("SET", "maxmemory", "1");
  const chunk: LoadChunk = {
    ...{ kind: "loads", number: 0, calibrate: [], calibrations: {}, loads: [], timeoutMs: 1000, registries },
  };
  const messages = all(lanes.start(chunk, 0, new AbortController().signal));
  await pWaitFor(() => printed.length > 0);
  assert.match(printed[0]!, /accepts no more chunks: OOM .*; waiting/);
  await redis.config("SET", "maxmemory", "0");
  const made: LaneMessage[] = [{ kind: "lane", lane: { ...readRun(blockRun).lanes[0]!, lane: 0 } }];
  const answer = async () => ({ worker: "a", messages: packMessages(made) });
  const worker = new Worker(queueName(versions), answer, { connection: asConnection(redis) });
  assert.deepEqual(await messages, made);
  await Promise.all([worker.close(), lanes.close()]);
  redis.disconnect();
});

test("a wrong address, a wrong password or a missing server of the queue is reported", async () => {
  const ends = async (address: string) => {
    const { code, stderr } = await lab("workers", address).ended;
    return `${code} ${stderr.trim()}`;
  };
  assert.match(await ends("localhost:6379"), /^2 .*"localhost:6379" is not an address of a queue; use redis:\/\/HOST/);
  assert.match(
    await ends(`redis://:guess@127.0.0.1:${server.port}`),
    /^3 .*cannot use the queue .*WRONGPASS.*\n.*password in the address/,
  );
  assert.match(
    await ends(`redis://127.0.0.1:${await freePort()}`),
    /^3 .*cannot use the queue .*ECONNREFUSED.*\n.*running there/,
  );
});
