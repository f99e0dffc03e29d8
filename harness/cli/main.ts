import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { allAxes } from "../../axes/registry.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import { tracesKept } from "../../schema/records.ts";
import { parseQuantity } from "../../schema/units.ts";
import { benchChaos } from "../bench/chaos.ts";
import { benchClocks } from "../bench/clocks.ts";
import { benchExplain } from "../bench/explain.ts";
import { benchIntervals } from "../bench/intervals.ts";
import { benchMemory } from "../bench/memory.ts";
import { benchOverhead } from "../bench/overhead.ts";
import { benchRead } from "../bench/read.ts";
import { benchReport } from "../bench/report.ts";
import { type AaOptions, aa } from "./aa.ts";
import { check } from "./check.ts";
import { clean } from "./clean.ts";
import { compare, comparisonFormats } from "./compare.ts";
import { doctor } from "./doctor.ts";
import { explain, explanationFormats } from "./explain.ts";
import { exportRun } from "./export.ts";
import { figures } from "./figures.ts";
import { list, listable } from "./list.ts";
import { checkPage, importPage, recordPage } from "./page.ts";
import { plan } from "./plan.ts";
import { report } from "./report.ts";
import { run } from "./run.ts";
import { survey, surveyFormats } from "./survey.ts";
import { tableFormats, tables } from "./tables.ts";
import { trace, traceFormats } from "./trace.ts";
import { trial } from "./trial.ts";
import { verify } from "./verify.ts";

const defaultExperiment = "spdy-initcwnd";

const wholeNumber = (min: number, max: number) => (text: string) => {
  if (!/^\d+$/.test(text) || Number(text) < min || Number(text) > max)
    throw new InvalidArgumentError(`A whole number from ${min} to ${max} is allowed.`);
  return Number(text);
};
function parseUntil(text: string): number {
  const percent = Number(/^ci=([\d.]+)%$/.exec(text)?.[1]);
  if (!(percent >= 0.1 && percent <= 50))
    throw new InvalidArgumentError('"ci=0.1%" to "ci=50%" is allowed: the half width of the median\'s 95% interval.');
  return percent;
}
const only = () =>
  new Option("--only <axis=value,…>", "only these values of an axis; repeatable")
    .default([] as string[])
    .argParser((text: string, all: string[]) => [...all, text]);
const replaced = () =>
  new Option("--with <axis=value,…>", "other values of an axis than the experiment's; repeatable")
    .default([] as string[])
    .argParser((text: string, all: string[]) => [...all, text]);
const loads = () => new Option("--loads <n>", "loads of each condition").argParser(wholeNumber(1, 1000));
const seed = () => new Option("--seed <n>", "seed of the order in each block").argParser(wholeNumber(0, 2 ** 32 - 1));
const clock = () =>
  new Option("--clock <clock>", "real, or virtual: the network alone, no noise, no privileges")
    .choices(["real", "virtual"])
    .default(undefined, "real");
const lanes = () =>
  new Option("--lanes <n>", "on the virtual clock: loads at once, or auto: one a core")
    .default(undefined, "auto")
    .argParser((text: string) => (text === "auto" ? text : wholeNumber(1, 256)(text)));
const substrate = () =>
  new Option("--substrate <name>", "where the hosts live (default: compose with a Docker engine, else netns)").choices([
    "compose",
    "netns",
  ]);

const program = new Command("lab")
  .description("How much faster does this page load, if the protocol, the server or TCP changes?")
  .addHelpText(
    "after",
    "\nExit codes: 0 done, 1 failed, 2 usage, 3 this machine cannot, 4 the link is not what was asked for,\n5 some loads are missing, 130 interrupted.",
  )
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(text.replace(/^error: /, "lab: ")) })
  .showHelpAfterError("(./lab --help lists the commands, ./lab COMMAND --help the options)");

/** What every run can be asked. */
const running = (command: Command) =>
  command
    .addOption(loads())
    .addOption(seed())
    .option("--timeout <time>", 'a load that takes longer has failed, as in "120 s"', (text: string) =>
      parseQuantity("timeoutSeconds", text, "--timeout"),
    )
    .option(
      "--processing <time>",
      'on the virtual clock: mean of what a program takes for what wakes it, drawn each time; "0 ms" for none',
      (text: string) => parseQuantity("processingMs", text, "--processing"),
    )
    .option(
      "--until <ci=percent>",
      'no more loads of a condition whose median is known well enough, as in "ci=1%"',
      parseUntil,
    )
    .addOption(
      new Option(
        "--traces <of>",
        "of which loads each packet's times are kept: all, the first block's (default), none",
      ).choices(tracesKept),
    )
    .option("--dry-run", "print the order of the loads, make none")
    .addOption(substrate())
    .addOption(clock())
    .addOption(lanes());
running(program.command("run"))
  .description("make an experiment's loads")
  .argument("[experiment]", "which one", defaultExperiment)
  .addOption(only())
  .addOption(replaced())
  .option("--resume [run]", "go on with a run (the latest, if none is named)")
  .action(run);
const trying = running(program.command("try"))
  .description("compare values of an axis, without an experiment: medians and gains as they come")
  .usage("--page A --protocol h1,h2 --link Cable,4G --loads 10")
  .addHelpText(
    "after",
    "\nThe first axis given with several values is compared, with its first value; the others make rows. ./lab list axes\nhas them all, ./lab list links and so on their values.",
  );
for (const { name, title, example, usual } of allAxes)
  trying.addOption(
    new Option(
      `--${name} <value,…>`,
      `${title}, as in ${example}${usual === undefined ? "" : ` (default: ${usual})`}`,
    ).argParser((text: string, all: string[] = []) => [...all, text]),
  );
trying.action(trial);
program
  .command("plan")
  .description("print an experiment's conditions and the time it takes")
  .argument("[experiment]", "which one", defaultExperiment)
  .addOption(loads())
  .addOption(only())
  .addOption(replaced())
  .addOption(seed())
  .option("--json", "as one JSON array")
  .action(plan);
program
  .command("tables")
  .description("print a run's tables, beside the published ones")
  .argument("[run]", "a run's folder or its name (default: the latest)")
  .addOption(
    new Option("--format <format>", "md, csv, json; or each gain, or each condition's median and spread")
      .choices(tableFormats)
      .default("md"),
  )
  .option("--write", "into the run's folder: tables.md, conditions.md, conditions.csv")
  .action(tables);
program
  .command("explain")
  .description("print where the time of a run's loads went, part by part, and where each gain comes from")
  .argument("[run]", "a run's folder or its name (default: the latest)")
  .addOption(new Option("--format <format>", "md, csv, json or svg").choices(explanationFormats).default("md"))
  .addOption(only())
  .option("--load <n>", "one load's critical path in words: a line of loads.jsonl", wholeNumber(1, 10_000_000))
  .action(explain);
program
  .command("figures")
  .description("draw a run's figures, as SVG and CSV")
  .argument("[run]", "a run's folder or its name (default: the latest)")
  .option("--out <folder>", "where to (default: figures/ in the run's folder)")
  .action(figures);
program
  .command("compare")
  .description("print where two runs differ, condition by condition, and why")
  .argument("<first>", "a run's folder or its name")
  .argument("<second>", "another's")
  .addOption(new Option("--format <format>", "md, csv or json").choices(comparisonFormats).default("md"))
  .action(compare);
program
  .command("report")
  .description("write a run as pages to look at: a folder that opens from a disk, without a network")
  .argument("[run]", "a run's folder or its name (default: the latest)")
  .option("--out <folder>", "where to (default: report in the run's folder)")
  .option("--beside <run>", "another run to compare it with")
  .option("--guess-first", "hide each case's results until a guess was entered")
  .option("--serve", "serve it on this machine instead, and renew it while the run goes")
  .option("--port <n>", "of --serve (default: 8080)", wholeNumber(0, 65_535))
  .action(report);
program
  .command("check")
  .description("say by the exit code whether a run's mean gains are what is asked of them")
  .argument("[run]", "a run's folder or its name (default: the latest)")
  .addOption(
    new Option(
      "--at-least <case=gain>",
      "a case by its id, its title or what its option changes, as in h2=1.2; repeatable",
    )
      .default([] as string[])
      .argParser((text: string, all: string[]) => [...all, text]),
  )
  .addOption(only())
  .action(check);
program
  .command("export")
  .description("print a run's loads for other tools")
  .argument("[run]", "a run's folder or its name (default: the latest)")
  .option("--har", "as an HTTP Archive 1.2, a page a load that counts")
  .option("--csv", "as CSV, a line a try")
  .addOption(only())
  .action(exportRun);
program
  .command("verify")
  .description("re-check from a run's files that every load is what its row says")
  .argument("[run]", "a run's folder or its name (default: the latest)")
  .option("--json", "as JSON, with every load that is doubted or flagged")
  .option(
    "--again <n>",
    "of a run on the virtual clock: make so many of its chunks again, and compare",
    wholeNumber(1, 10_000),
  )
  .addOption(new Option("--seed <n>", "which chunks --again takes").argParser(wholeNumber(0, 2 ** 32 - 1)).default(1))
  .action(verify);
program
  .command("trace")
  .description(
    "characterise captures of anybody's: RTT, bytes, retransmissions, objects, requests (IMC 2011, section 3)",
  )
  .argument("<file...>", "pcap, pcapng or whatever tshark reads")
  .addOption(new Option("--format <format>", "md or json").choices(traceFormats).default("md"))
  .option("--figures <folder>", "draw Figures 3 and 8 to 14 there, as SVG and CSV")
  .action(trace);
program
  .command("survey")
  .description("what recorded pages are made of: servers, resources, sizes, round trips (the draft's Tables 2 and 3)")
  .argument("<file...>", "HARs, as browsers' developer tools save them")
  .addOption(new Option("--format <format>", "md or json").choices(surveyFormats).default("md"))
  .action(survey);
program.command("list").description("print what an experiment can name").addArgument(listable).action(list);
const page = program.command("page").description("look at a page, or bring one");
page
  .command("check")
  .description("print what a load of it asks for, of which host, and what would leave the lab")
  .argument("<name>", "a folder in pages/")
  .action(checkPage);
page
  .command("import")
  .description("make a page of a recording: a HAR, as a browser's developer tools save it")
  .argument("<file>", "the HAR")
  .option("--name <name>", "of the folder in pages/ (default: the file's)")
  .action(importPage);
page
  .command("record")
  .description("load a page from the network, and save what it asks for as a HAR, for page import")
  .argument("<url>", "of the page")
  .option("--file <file>", "of the HAR (default: the URL's host)")
  .option(
    "--timeout <time>",
    'how long it may take, as in "60 s"',
    (text: string) => parseQuantity("timeoutSeconds", text, "--timeout"),
    60,
  )
  .action(recordPage);
program
  .command("doctor")
  .description("can this machine run the lab, and what to do if not")
  .addOption(substrate())
  .action(doctor);
const bench = program.command("bench").description("measure the lab itself");
bench
  .command("overhead", { isDefault: true })
  .description("how much of a load's wall time is not the page's")
  .addOption(loads())
  .action(benchOverhead);
bench
  .command("clocks")
  .description("what a load takes on either clock, and how much it varies")
  .addOption(loads())
  .action(benchClocks);
bench
  .command("read")
  .description("what reports take on a long run: makes one, prints time and memory")
  .option("--loads <n>", "of the whole run", wholeNumber(1, 10_000_000))
  .action(benchRead);
bench
  .command("report")
  .description("what the report of a long run takes to make and to open, measured in the browser")
  .option("--loads <n>", "of the whole run", wholeNumber(1, 10_000_000))
  .action(benchReport);
bench
  .command("memory")
  .description("what the lab's processes hold, over many loads on one lane")
  .addOption(loads())
  .action(benchMemory);
bench
  .command("aa")
  .description("each condition of a run against itself: how often the tables would call a difference what is none")
  .argument("[run]", "a finished run's folder or its name (without: one is made)")
  .addOption(loads())
  .addOption(only())
  .addOption(seed())
  .addOption(clock())
  .addOption(lanes())
  .action((name: string | undefined, options: AaOptions) => aa(name, options, defaultExperiment));
bench
  .command("intervals")
  .description("what the tables' intervals hold of simulated runs whose gains are known")
  .option("--runs <n>", "simulated runs of each kind", wholeNumber(10, 100_000), 300)
  .action(benchIntervals);
bench
  .command("explain")
  .description("what a run's accounts of time foretell of a change, beside what came of it")
  .argument("[run]", "of the experiment interventions, say (default: the latest)")
  .action(benchExplain);
bench
  .command("chaos")
  .description("kill -9 of the lab's parts at random moments: what survives, what is left behind")
  .option("--kills <n>", "how often", wholeNumber(1, 1000), 100)
  .addOption(seed().default(undefined, "another each time"))
  .action(benchChaos);
program.command("clean").description("end this lab's run, and remove what it keeps outside results/").action(clean);
// The entry script handles it; it stands here for --help.
program.command("test").description("set up and run the tests");

// Who reads no further, as `head` does, is no defect.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? ExitCode.done : ExitCode.failed),
);

try {
  process.exitCode = ExitCode.done;
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
  else if (error instanceof LabError) {
    process.stderr.write(`lab: ${error.message}\n`);
    process.exitCode = error.exitCode;
  } else {
    process.stderr.write(`lab: this is a defect of the lab: ${(error as Error).stack}\n`);
    process.exitCode = ExitCode.failed;
  }
}
