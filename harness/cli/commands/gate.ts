import type { Command } from "commander";
import { readRegistries } from "../../../axes/registries.ts";
import { axisNamed } from "../../../axes/registry.ts";
import { readTopology, webHosts } from "../../../hosts/topology.ts";
import { usageError } from "../../../schema/errors.ts";
import { documentsIn, type GivenPage, givePage } from "../../../sites/given-page.ts";
import { startFile } from "../../../sites/paths.ts";
import { budgetsInFile, budgetsOf, type FileBudgets, thresholdOf } from "../../gate/budgets.ts";
import { gateExperiment, gateName } from "../../gate/gate-experiment.ts";
import { type GateFileOptions, withGateFile } from "../../gate/gate-file.ts";
import { sameFilesSentence } from "../../gate/gate-markdown.ts";
import { giveVerdict, reportIfWhole, reportOn, type VerdictOptions } from "../../gate/gate-verdict.ts";
import { gateMeasureNames } from "../../gate/measures.ts";
import { say } from "../../output/output.ts";
import { valuesIn } from "../../plan/select.ts";
import { openRun } from "../../record/run-folder.ts";
import { userPath } from "../../record/user-path.ts";
import { type RunOptions, requestOf } from "../../run/request.ts";
import { openToResume } from "../../run/resume.ts";
import { carryOut } from "../../run/run.ts";
import { enoughBlocks } from "../../statistics/resample.ts";
import { startProgress } from "../progress.ts";
import { lanes, refuseOthers, repeatable, root, timeLimit, wholeNumber } from "./options.ts";

interface GateOptions
  extends Pick<RunOptions, "timeout" | "lanes" | "root" | "resume">,
    VerdictOptions,
    GateFileOptions {
  budget: string[];
}

async function gate(
  path: string,
  { against, pages, links, protocol, ...options }: GateOptions,
  ofFile: FileBudgets,
): Promise<void> {
  const plan = {
    links: valuesIn(axisNamed("link", "--links"), links, `--links ${links}`),
    protocol: oneProtocol(protocol),
    serverTimes: options.serverTimes,
    loads: options.loads,
  };
  const { threshold } = options;
  thresholdOf(threshold); // only checked here: the verdict reads the threshold from the run
  const names = plan.links.map(String);
  const budgets = [...budgetsInFile(ofFile, names), ...options.budget.flatMap((text) => budgetsOf(text, names))];
  if (against !== undefined && options.loads < enoughBlocks)
    throw usageError(
      `--loads ${options.loads}: --against needs ${enoughBlocks} loads or more, because with fewer there are no intervals`,
    );
  const most = webHosts(readTopology()).length;
  const give = (one: string): GivenPage => givePage(one, most);
  const [after, before] = [give(path), against === undefined ? null : give(against)];
  const documents = documentsIn(before ? [after, before] : [after], pages.split(","));
  const asked: RunOptions = { ...options, only: [], with: [], clock: "virtual", traces: "all" };
  const experiment = gateExperiment({ ...plan, documents, after, before }, readRegistries());
  const sameFiles = before?.name === after.name;
  const demands = { threshold, budgets, ...(sameFiles && { sameFiles }) };
  const request = { ...(await requestOf(gateName, experiment, asked)), demands };
  if (sameFiles) say(sameFilesSentence);
  for (const sentence of [after, before].flatMap((page) => page?.sentences ?? [])) say(sentence);
  const folder = await carryOut(request, { ...asked, print: say, startProgress });
  await giveVerdict(reportOn(folder), options);
}

function oneProtocol(text: string) {
  const [protocol, ...others] = valuesIn(axisNamed("protocol", "--protocol"), text, `--protocol ${text}`);
  if (protocol === undefined || others.length)
    throw usageError(`--protocol ${text}: a gate has one protocol; ./lab try --protocol ${text} compares several`);
  return protocol;
}

async function resumeGate(
  page: string | undefined,
  { resume, ...options }: GateOptions,
  command: Command,
): Promise<void> {
  const allowed = ["resume", "lanes", "root", "json", "markdown", "junit"];
  refuseOthers("--resume keeps the original page and options", command, allowed, page);
  const { folder } = openRun(resume === true ? undefined : resume);
  const opened = () => openToResume({ resume: folder, only: [], with: [], clock: "virtual" });
  const make = () => carryOut(opened(), { ...options, print: say, startProgress });
  await giveVerdict(reportIfWhole(folder) ?? reportOn(await make()), options);
}

export const addTo = (lab: Command) =>
  lab
    .command(gateName)
    .description(
      "for CI: load a page of yours over some links, print its load times, and fail if the page is slower than before or over a budget",
    )
    .argument("[page]", "a folder with an index.html, a recorded site's folder, or a HAR", userPath)
    .option(
      "--config <file>",
      "a pageload.yml with the page and options; command-line options override it (docs/ci.md)",
      userPath,
    )
    .option(
      "--against <page>",
      "the earlier version of the page: a folder, a recorded site's folder or a HAR",
      userPath,
    )
    .option("--pages <file,…>", "which HTML files of the folder to load, as in index.html,about/", startFile)
    .option("--links <link,…>", "links (./lab list links)", "Cable,4G,3GFast")
    .option(
      "--protocol <protocol>",
      "the protocol: h2, h1, h1c or h3; the server is nginx, or replay for a recorded site",
      "h2",
    )
    .option(
      "--server-times",
      "the server waits before each response as long as in the recording; only for a recorded site or a HAR (for a HAR, the server is Node.js's, over HTTP/1.1 or HTTP/2)",
    )
    .addOption(
      repeatable(
        "--budget <measure=most,…>",
        `limits, as in pageLoad=3s,requests=80, or 4G:bytes=1MB for one link; measures: ${gateMeasureNames.join(", ")}; repeatable`,
      ),
    )
    .option("--threshold <share>", "how much slower the page may be than before", "2%")
    .option("--loads <n>", "loads of each page over each link", wholeNumber(1, 1000), 10)
    .option("--timeout <time>", 'how long a load may take before it counts as never ended, as in "120 s"', timeLimit)
    .option("--resume [run]", "finish an interrupted gate (default: the latest run), with its original options")
    .addOption(lanes())
    .addOption(root())
    .option("--json", "print JSON")
    .option("--markdown <file>", "also write the printed report to a file, for a job's summary", userPath)
    .option("--junit <file>", "also write a JUnit XML file, with a test case for each demand", userPath)
    .action((page: string | undefined, options: GateOptions & { config?: string }, command: Command) => {
      if (options.resume !== undefined) return resumeGate(page, options, command);
      const given = withGateFile(page, options, (name) => command.getOptionValueSource(name) === "cli");
      return gate(given.page, given.options, given.budgets);
    });
