import type { Command } from "commander";
import { say } from "../../output/output.ts";
import { withLifetime } from "../../run/lifetime.ts";
import { queueAddress } from "../../run/workers/queue-address.ts";
import { work } from "../../run/workers/worker.ts";
import { aQueue, lanes, root } from "./options.ts";

export const addTo = (lab: Command) =>
  lab
    .command("worker")
    .description("make loads for runs that were started with ./lab run --clock virtual --workers ADDRESS")
    .argument(...aQueue)
    .addOption(lanes())
    .addOption(root())
    .action((address: string | undefined, options: { lanes?: number | "auto"; root?: string }) =>
      withLifetime((lifetime) => work(queueAddress(address), { lanes: "auto", ...options, print: say }, lifetime)),
    );
