/** Simulates workers that answer each chunk with lines of a committed run. Arguments: the queue's address and name, the number of workers. */
import { Worker } from "bullmq";
import { blockRun } from "../harness/record/find-run.ts";
import { readRun } from "../harness/record/records.ts";
import { linkOf } from "../harness/run/share-work.ts";
import { packMessages } from "../harness/run/workers/packed-messages.ts";
import { asConnection, connectQueue, type Job } from "../harness/run/workers/queue.ts";
import type { Result } from "../harness/run/workers/received-result.ts";
import type { LaneMessage } from "../schema/lane-messages.ts";

const [address = "", queue = "", count = ""] = process.argv.slice(2);
const run = readRun(blockRun);
const loads = new Map([...run.loads()].flatMap((line) => ("load" in line ? [[line.load.condition, line.load]] : [])));
const calibrations = new Map(run.calibrations.map((one) => [one.link, one]));

function messagesOf({ number, calibrate, loads: planned }: Job["chunk"]): LaneMessage[] {
  return [
    ...calibrate.map((settings, i): LaneMessage => {
      const calibration = { ...calibrations.get(linkOf(settings))!, calibration: `${number}.${i}`, attempt: 1 };
      return { kind: "calibration", calibration };
    }),
    { kind: "lane", lane: { ...run.lanes[0]!, lane: number } },
    ...planned.map(({ block, attempt, condition }): LaneMessage => {
      return { kind: "load", load: { ...loads.get(condition.id)!, block, attempt, lane: number } };
    }),
  ];
}

const redis = await connectQueue(address, console.error);
for (let i = 0; i < Number(count); i++) {
  const name = `simulated-${i}`;
  const answer = async ({ data: { chunk } }: { data: Job }): Promise<Result> => {
    return { worker: name, messages: packMessages(messagesOf(chunk)) };
  };
  new Worker<Job, Result>(queue, answer, { connection: asConnection(redis), name }).on("error", console.error);
}
