import type { Command } from "commander";
import { readRegistries } from "../../../axes/registries.ts";
import { readTopology, webHosts } from "../../../hosts/topology.ts";
import { usageError } from "../../../schema/errors.ts";
import { type GivenPage, givePage } from "../../../sites/given-page.ts";
import { say } from "../../output/output.ts";
import { trialName, trialOf } from "../../plan/trial.ts";
import { openRun } from "../../record/run-folder.ts";
import { pathOfPage } from "../../record/user-path.ts";
import { type RunOptions, requestOf } from "../../run/request.ts";
import { carryOut } from "../../run/run.ts";
import { addAxisOptions, givenIn } from "../axis-options.ts";
import { printLeftOut } from "../left-out.ts";
import { startLiveProgress } from "../progress.ts";

import { printOrder } from "./run.ts";
import { withRunOptions } from "./run-options.ts";
import { tables } from "./tables.ts";

type TrialOptions = Omit<RunOptions, "only" | "with" | "resume"> & { compare?: string; page?: string[] } & Record<
    string,
    unknown
  >;

/** Reads the pages given as paths of folders or HARs. The keys are these paths. @param values the values of the axis `page` */
function givenPages(values: readonly string[]): Map<string, GivenPage> {
  const { pages } = readRegistries();
  const most = webHosts(readTopology()).length;
  const given = new Map(
    values.flatMap((value) => {
      const path = pathOfPage(value, pages);
      return path === null ? [] : [[value, givePage(path, most)] as const];
    }),
  );
  for (const [value, { name }] of given) {
    const [same] = [...given].find((other) => other[0] !== value && other[1].name === name) ?? [];
    if (same !== undefined) throw usageError(`--page ${value},${same}: both have the same files`);
  }
  return given;
}

async function tryValues(options: TrialOptions): Promise<void> {
  const asked = { ...options, only: [], with: [] } as RunOptions;
  const values = (options.page ?? []).flatMap((list) => list.split(",").map((value) => value.trim()));
  const given = givenPages(values);
  if (given.size) options.page = [values.map((value) => given.get(value)?.name ?? value).join(",")];
  for (const { sentences } of given.values()) for (const sentence of sentences) say(sentence);
  const trial = trialOf(givenIn(options), readRegistries(), options.compare);
  for (const [value, { name }] of given)
    for (const text of ["title", "source"] as const) trial[text] = trial[text].replace(name, value);
  const request = await requestOf(trialName, trial, asked);
  if (asked.dryRun) return printOrder(request);
  const folder = await carryOut(request, { ...asked, print: say, startProgress: startLiveProgress });
  tables(folder, { format: "md" });
  for (const [value, { name }] of given) say(`${name} is ${value}`);
  printLeftOut(openRun(folder).manifest);
}

export function addTo(lab: Command): void {
  const command = withRunOptions(lab.command("try"))
    .description("compare values of an axis, without an experiment file, and print the tables")
    .usage("--page A --protocol h1,h2 --link Cable,4G --loads 10")
    .addHelpText(
      "after",
      "\n--compare names the axis to compare (default: the first axis that has several values and is not the page, the servers or a property of the link). The values of this axis are compared with its first value. The values of the other axes are the rows of the tables.\nA page may also be the path of a folder with an index.html, of a recorded site's folder, or of a HAR, as in --page before/,dist/.\nFor numbers, A..B means five values from A to B in logarithmic steps, as in --queue 10..1000; A..B:9 means nine values.\n./lab list axes prints the axes; ./lab list links prints the links, and likewise for pages, servers, clients and protocols.",
    );
  command.option("--compare <axis>", "the axis to compare, if several axes have several values");
  addAxisOptions(command);
  command.action(tryValues);
}
