import type { Command } from "commander";
import { readRegistries } from "../../../axes/registries.ts";
import { readTopology, webHosts } from "../../../hosts/topology.ts";
import { givePage } from "../../../sites/given-page.ts";
import { say } from "../../output/output.ts";
import { trialName, trialOf } from "../../plan/trial.ts";
import { openRun } from "../../record/run-folder.ts";
import { type RunOptions, requestOf } from "../../run/request.ts";
import { carryOut } from "../../run/run.ts";
import { addAxisOptions, givenIn } from "../axis-options.ts";
import { printLeftOut } from "../left-out.ts";
import { startLiveProgress } from "../progress.ts";
import { userPath } from "./options.ts";
import { printOrder } from "./run.ts";
import { withRunOptions } from "./run-options.ts";
import { tables } from "./tables.ts";

type TrialOptions = Omit<RunOptions, "only" | "with" | "resume"> & { compare?: string; page?: string[] } & Record<
    string,
    unknown
  >;

/** Names the pages among these values of the axis `page` that are paths of folders or HARs, as their copies are named. */
function namePages(values: string): string {
  const nameOf = (value: string): string => {
    if (!/\/|\.har(\.gz)?$/i.test(value)) return value;
    const { name, sentences } = givePage(userPath(value), webHosts(readTopology()).length);
    for (const sentence of sentences) say(sentence);
    return name;
  };
  return values.split(",").map(nameOf).join(",");
}

/** Compares values of an axis: makes a run without an experiment file, then prints its tables. */
async function tryValues(options: TrialOptions): Promise<void> {
  const asked = { ...options, only: [], with: [] } as RunOptions;
  if (options.page) options.page = options.page.map(namePages);
  const request = await requestOf(trialName, trialOf(givenIn(options), readRegistries(), options.compare), asked);
  if (asked.dryRun) return printOrder(request);
  const folder = await carryOut(request, { ...asked, print: say, startProgress: startLiveProgress });
  tables(folder, { format: "md" });
  printLeftOut(openRun(folder).manifest);
}

export function addTo(lab: Command): void {
  const command = withRunOptions(lab.command("try"))
    .description("compare values of an axis, without an experiment file, and print the tables")
    .usage("--page A --protocol h1,h2 --link Cable,4G --loads 10")
    .addHelpText(
      "after",
      "\n--compare names the axis to compare. By default it is the first axis with several values that is not the page, the servers or a property of the link. Each of its values is compared with the first value. Values of other axes make rows.\nA page may also be the path of a folder with an index.html, or of a HAR, as in --page dist/,./site.har.\nFor numbers, A..B means five values from A to B in logarithmic steps, as in --queue 10..1000; A..B:9 means nine values.\n./lab list axes prints the axes; ./lab list links, pages, servers, clients, protocols their values.",
    );
  command.option("--compare <axis>", "the axis to compare, if several axes have several values");
  addAxisOptions(command);
  command.action(tryValues);
}
