import { existsSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Command } from "commander";
import { usageError } from "../../../schema/errors.ts";
import { inOneLine } from "../../../schema/foreign-words.ts";
import { nameSchema } from "../../../schema/names.ts";
import { meanMbps, type RateStep } from "../../../schema/rate-trace.ts";
import { parseQuantity, readQueueLimit } from "../../../schema/units.ts";
import { describeSteps, readForeignTrace } from "../../../shaper/foreign-trace.ts";
import { readLinks } from "../../../shaper/named-links.ts";
import { rateTracePath, rateTraceText } from "../../../shaper/rate-traces.ts";
import { print, say } from "../../output/output.ts";
import { userPath } from "../../record/user-path.ts";

interface ImportOptions {
  name?: string;
  up?: string;
  rtt: string;
  loss: string;
  queue: string;
}

function importLink(file: string, { name: given, up: upFile, ...settings }: ImportOptions): void {
  parseQuantity("rttMs", settings.rtt, "--rtt");
  parseQuantity("lossPercent", settings.loss, "--loss");
  readQueueLimit(settings.queue, "--queue");
  const name = nameOf(given ?? basename(file).replace(/\.\w+$/, ""));
  const { down, up } = bothDirections(file, upFile);
  const sources = [file, ...(upFile === undefined ? [] : [upFile])].map((path) => inOneLine(basename(path)));
  const path = rateTracePath(name);
  writeFileSync(path, rateTraceText(`./lab link import ${sources.join(" --up ")}`, settings, { down, up }));
  say(
    `down: ${describeSteps(down)}, ${meanMbps(down)} on average; up: ${describeSteps(up)}, ${meanMbps(up)} on average.`,
  );
  say(`RTT ${settings.rtt}, loss ${settings.loss}, queue ${settings.queue}; you can edit all of this in ${path}.`);
  say(`To use the link: ./lab try --page A --protocol h1,h2,h3 --link ${name}`);
  print(path);
}

/** A mahimahi trace has a file for each direction; a CSV trace has both directions in one file. */
function bothDirections(file: string, upFile: string | undefined): Record<"down" | "up", RateStep[]> {
  const first = readForeignTrace(file);
  if (first.format === "csv") {
    if (upFile !== undefined) throw usageError(`--up ${upFile}: ${file} has both directions; leave out --up`);
    return first;
  }
  if (upFile === undefined) return { down: first.steps, up: first.steps };
  const second = readForeignTrace(upFile);
  if (second.format === "csv") throw usageError(`--up ${upFile}: it must have mahimahi's format, as ${file} has`);
  return { down: first.steps, up: second.steps };
}

function nameOf(name: string): string {
  const checked = nameSchema.safeParse(name);
  if (!checked.success) throw usageError(`--name ${inOneLine(name)}: ${checked.error.issues[0]!.message}`);
  if (name === "none" || name in readLinks() || existsSync(rateTracePath(name)))
    throw usageError(`--name ${name}: a link with this name exists already; choose another name`);
  return name;
}

export function addTo(lab: Command): void {
  const link = lab.command("link").description("make a link whose rate varies").helpCommand(false);
  link
    .command("import")
    .description("make a link from a trace: mahimahi's format, or CSV with the columns seconds,down_mbps,up_mbps")
    .argument("<file>", "the trace; for mahimahi's format: the trace of the direction to the client", userPath)
    .option("--name <name>", "the link's name (default: the file's name without its extension)")
    .option(
      "--up <file>",
      "for mahimahi's format: the trace of the direction from the client (default: the same file)",
      userPath,
    )
    .option("--rtt <time>", "the link's round-trip time", "50 ms")
    .option("--loss <share>", "the link's random loss in each direction", "0 %")
    .option("--queue <length>", "the link's queue in each direction", "200 packets")
    .action(importLink);
}
