// ./lab worker: clock=virtual writes
import type { Command } from "commander";
import { withLifetime } from "../../run/lifetime.ts";
import { work } from "../../run/workers/worker.ts";
import { lanes, root } from "./options.ts";

export const addTo = (lab: Command) =>
  lab
    .command("worker")
    .description("make loads of runs that were started with ./lab run --clock virtual --workers ADDRESS")
    .argument("<address>", "their queue (Valkey or Redis): redis://HOST:6379, or rediss://:PASSWORD@HOST:6379 with TLS")
    .addOption(lanes())
    .addOption(root())
    .action((address: string, options: { lanes?: number | "auto"; root?: string }) =>
      withLifetime((lifetime) => work(address, { lanes: "auto", ...options, print: console.error }, lifetime)),
    );
