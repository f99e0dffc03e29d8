import type { Command } from "commander";
import { inOneLine } from "../../../schema/foreign-words.ts";
import { print, say } from "../../output/output.ts";
import { connectQueue } from "../../run/workers/queue.ts";
import { queueAddress } from "../../run/workers/queue-address.ts";
import { readNotes } from "../../run/workers/worker-list.ts";
import { printTable } from "../print-table.ts";
import { aQueue } from "./options.ts";

const hourMs = 3_600_000;

async function list(address?: string): Promise<void> {
  const redis = await connectQueue(queueAddress(address), say);
  try {
    const [workers, runs] = await Promise.all([readNotes(redis, "worker"), readNotes(redis, "run")]);
    print(`Runs: ${runs.map(({ name }) => inOneLine(name)).join(", ") || "none"}`);
    print(`Workers: ${workers.length || "none"}`);
    printTable(
      workers.map(({ name, since, lanes, loads, versions }) => {
        const hours = (Date.now() - Date.parse(since)) / hourMs;
        return { worker: name, since, lanes, loads, "loads an hour": Math.round(loads / hours), ...versions };
      }),
    );
  } finally {
    redis.disconnect();
  }
}

export const addTo = (lab: Command) =>
  lab
    .command("workers")
    .description("list the workers and the runs of a queue")
    .argument(...aQueue)
    .action(list);
