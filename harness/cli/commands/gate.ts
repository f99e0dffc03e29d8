// ./lab gate: clock=virtual writes
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Command, Option } from "commander";
import { readRegistries } from "../../../axes/registries.ts";
import { axisNamed } from "../../../axes/registry.ts";
import { readTopology, webHosts } from "../../../hosts/topology.ts";
import { documentsIn, type GivenPage, givePage } from "../../../pages/given-page.ts";
import { startFile } from "../../../pages/paths.ts";
import { ExitCode, usageError } from "../../../schema/errors.ts";
import { gateExperiment, gateName } from "../../plan/gate.ts";
import { valuesIn } from "../../plan/select.ts";
import { readRun } from "../../record/records.ts";
import { budgetsOf, thresholdOf } from "../../report/gate/budgets.ts";
import { gateReport } from "../../report/gate/gate-report.ts";
import { gateMeasureNames } from "../../report/gate/measures.ts";
import { failedLines, gateJson, gateJUnit, gateMarkdown } from "../../report/gate/render.ts";
import { type RunOptions, requestOf } from "../../run/request.ts";
import { carryOut } from "../../run/run.ts";
import { enoughBlocks } from "../../statistics/resample.ts";
import { withGateFile } from "../gate-file.ts";
import { startProgress } from "../progress.ts";
import { lanes, print, repeatable, root, timeLimit, wholeNumber } from "./options.ts";

interface GateOptions extends Pick<RunOptions, "timeout" | "lanes" | "root"> {
  against?: string;
  pages: string;
  links: string;
  protocol: string;
  serverTimes?: boolean;
  budget: string[];
  threshold: string;
  loads: number;
  json?: true;
  markdown?: string;
  junit?: string;
  from: string;
}

/** Loads a page, and the page as it was before. The exit code tells whether all demands are met. */
async function gate(path: string, { against, pages, links, protocol, from, ...options }: GateOptions): Promise<void> {
  const plan = {
    links: valuesIn(axisNamed("link", "--links"), links, `--links ${links}`),
    protocol: valuesIn(axisNamed("protocol", "--protocol"), protocol, `--protocol ${protocol}`)[0]!,
    serverTimes: options.serverTimes,
    loads: options.loads,
  };
  const threshold = thresholdOf(options.threshold);
  const budgets = options.budget.flatMap((text) => budgetsOf(text, plan.links.map(String)));
  if (against === undefined && budgets.length === 0)
    throw usageError("there is nothing to demand: give the page as it was before (--against), a --budget, or both");
  if (against !== undefined && options.loads < enoughBlocks)
    throw usageError(
      `--loads ${options.loads}: --against needs ${enoughBlocks} or more, or differences have no interval`,
    );
  const most = webHosts(readTopology()).length;
  const give = (one: string): GivenPage => givePage(resolve(from, one), most);
  const [after, before] = [give(path), against === undefined ? null : give(against)];
  const documents = documentsIn(before ? [after, before] : [after], pages.split(","));
  const asked: RunOptions = { ...options, only: [], with: [], clock: "virtual", traces: "all" };
  const experiment = gateExperiment({ ...plan, documents, after, before }, readRegistries());
  const request = await requestOf(gateName, experiment, asked);
  if (before?.name === after.name) console.error("Both pages have the same files: only budgets are checked.");
  for (const sentence of [after, before].flatMap((page) => page?.sentences ?? [])) console.error(sentence);
  const folder = await carryOut(request, { ...asked, print: console.error, startProgress });
  const report = gateReport(readRun(folder), { threshold, budgets });
  const markdown = gateMarkdown(report);
  print(options.json ? gateJson(report) : markdown);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(resolve(from, path)), { recursive: true });
    writeFileSync(resolve(from, path), text);
  };
  if (options.markdown !== undefined) write(options.markdown, markdown);
  if (options.junit !== undefined) write(options.junit, gateJUnit(report));
  if (options.json) for (const line of failedLines(report)) console.error(`failed: ${line}`);
  if (!report.passed) process.exitCode = ExitCode.failed;
}

export const addTo = (lab: Command) =>
  lab
    .command(gateName)
    .description("for CI: load a page of yours over some links, and fail if it is slower than before, or over a budget")
    .argument("[page]", "a folder with an index.html, or a HAR")
    .option("--config <file>", "a pageload.yml with the page and options; the command line goes before it (docs/ci.md)")
    .option("--against <page>", "the page as it was before: a folder or a HAR")
    .option("--pages <file,…>", "which HTML files of the folder are loaded, as in index.html,about/", startFile)
    .option("--links <link,…>", "links (./lab list links)", "Cable,4G,3GFast")
    .option("--protocol <protocol>", "how nginx serves it: h2, h1 or h1c", "h2")
    .option("--server-times", "servers take as long as in the HAR (Node.js's server, HTTP/1.1 or HTTP/2)")
    .addOption(
      repeatable(
        "--budget <measure=most,…>",
        `what it may take, as in pageLoad=3s,requests=80 or for one link 4G:bytes=1MB; measures: ${gateMeasureNames.join(", ")}; repeatable`,
      ),
    )
    .option("--threshold <share>", "how much slower than before it may become", "2%")
    .option("--loads <n>", "how often each page is loaded over each link", wholeNumber(1, 1000), 10)
    .option("--timeout <time>", 'a load that takes longer fails, as in "120 s"', timeLimit)
    .addOption(lanes())
    .addOption(root())
    .option("--json", "print JSON")
    .option("--markdown <file>", "also write what is printed to a file, for a job's summary")
    .option("--junit <file>", "also write a test case for each demand, as JUnit's XML")
    .addOption(new Option("--from <folder>", "where relative paths begin").default(".").hideHelp())
    .action((page: string | undefined, options: GateOptions & { config?: string }, command: Command) => {
      const given = withGateFile(page, options, (name) => command.getOptionValueSource(name) === "cli");
      return gate(given.page, given.options);
    });
