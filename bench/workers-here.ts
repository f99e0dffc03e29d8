/** Compares how long the same loads take with local lanes and with as many workers on this machine, alternately. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Lifetime, withLifetime } from "../harness/run/lifetime.ts";
import { connectQueue } from "../harness/run/workers/queue.ts";
import { readNotes } from "../harness/run/workers/worker-list.ts";
import { median } from "../harness/statistics/quantile.ts";
import { autoLanes } from "../substrate/guest/requirements.ts";
import { type LabProcess, MarkedLabs } from "./chaos/lab-process.ts";
import { QueueServer } from "./chaos/queue-server.ts";

/** 96 loads: each condition of the matrix's Page A once. */
const words = ["--clock", "virtual", "--traces", "none", "--loads", "1", "--only", "page=A"];
const rounds = 3;

export const benchWorkersHere = (): Promise<void> => withLifetime(compare);

async function compare({ signal, onEnd }: Lifetime): Promise<void> {
  const labs = new MarkedLabs(signal);
  const server = await QueueServer.start("here");
  onEnd(() => server.end());
  const count = autoLanes();
  for (let i = 0; i < count; i++) labs.start("worker", server.address, "--lanes", "1");
  const redis = await connectQueue(server.address, console.error);
  onEnd(() => redis.disconnect());
  while ((await readNotes(redis, "worker")).length < count) await sleep(500, undefined, { signal });
  console.log(`| ${count} local lanes, s | ${count} workers, s | ratio |\n| --: | --: | --: |`);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const local = await secondsOf(labs.start("run", ...words, "--lanes", String(count)));
    const remote = await secondsOf(labs.start("run", ...words, "--workers", server.address));
    ratios.push(local / remote);
    console.log(`| ${local.toFixed(1)} | ${remote.toFixed(1)} | ${(local / remote).toFixed(3)} |`);
  }
  console.log(`\nWorkers reach ${(100 * median(ratios)).toFixed(0)}% of local lanes' speed (median of ${rounds})`);
}

/** @throws Error with the run's output, if the run fails */
async function secondsOf(run: LabProcess): Promise<number> {
  const start = performance.now();
  await run.finished();
  return (performance.now() - start) / 1000;
}
