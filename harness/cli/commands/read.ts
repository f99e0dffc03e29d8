/** The commands that read what is there: a run's files, or captures and recordings of anybody's. */
import { type Command, Option } from "commander";
import { metrics } from "../../../metrics/registry.ts";
import { loopback } from "../../web/serve.ts";
import { check } from "../check.ts";
import { claims } from "../claims.ts";
import { compare, comparisonFormats } from "../compare.ts";
import { explain, explanationFormats } from "../explain.ts";
import { exportRun } from "../export.ts";
import { figures } from "../figures.ts";
import { report } from "../report.ts";
import { survey, surveyFormats } from "../survey.ts";
import { tableFormats, tables } from "../tables.ts";
import { trace, traceFormats } from "../trace.ts";
import { verify } from "../verify.ts";
import { aRun, only, repeatable, wholeNumber } from "./options.ts";

/** What a run says, to look at. */
export function addReports(program: Command): void {
  program
    .command("tables")
    .description("print a run's tables, beside the published ones")
    .argument(...aRun)
    .addOption(
      new Option("--format <format>", "md, csv, json; or each gain, or each condition's median and spread")
        .choices(tableFormats)
        .default("md"),
    )
    .addOption(
      new Option("--metric <name>", "gains of another metric than the experiment's (./lab list metrics)").choices(
        Object.keys(metrics).filter((name) => !metrics[name]!.moreIsBetter),
      ),
    )
    .option("--write", "into the run's folder: tables.md, conditions.md, conditions.csv")
    .action(tables);
  program
    .command("claims")
    .description(
      "compute every claim of papers and documents from its run's loads: number, 95% interval, whether it holds",
    )
    .argument("[run]", "only the claims of this run's experiment, of its loads")
    .option("--write", "into the documents that name claims")
    .option("--check", "fail where a document has other numbers")
    .action(claims);
  program
    .command("explain")
    .description("print where the time of a run's loads went, part by part, and where each gain comes from")
    .argument(...aRun)
    .addOption(new Option("--format <format>", "md, csv, json or svg").choices(explanationFormats).default("md"))
    .addOption(only())
    .option("--load <n>", "one load's critical path in words: a line of loads.jsonl", wholeNumber(1, 10_000_000))
    .action(explain);
  program
    .command("figures")
    .description("draw a run's figures, as SVG and CSV")
    .argument(...aRun)
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
    .argument(...aRun)
    .option("--out <folder>", "where to (default: report in the run's folder)")
    .option("--beside <run>", "another run to compare it with")
    .option("--guess-first", "hide each case's results until a guess was entered")
    .option("--serve", "serve it on this machine instead, and renew it while the run goes")
    .option("--port <n>", "of --serve (default: 8080)", wholeNumber(0, 65_535))
    .addOption(
      new Option("--address <ip>", "of --serve: 0.0.0.0 in a container, whose loopback nobody reaches").choices([
        loopback,
        "0.0.0.0",
      ]),
    )
    .action(report);
}

/** Whether it is so, and for other tools. */
export function addChecks(program: Command): void {
  program
    .command("check")
    .description("say by the exit code whether a run's mean gains are what is asked of them")
    .argument(...aRun)
    .addOption(
      repeatable(
        "--at-least <case=gain>",
        "a case by its id, its title or what its option changes, as in h2=1.2; repeatable",
      ),
    )
    .addOption(only())
    .action(check);
  program
    .command("export")
    .description("print a run for other tools")
    .argument(...aRun)
    .option("--har", "as an HTTP Archive 1.2, a page a load that counts")
    .option("--csv", "as CSV, a line a try")
    .option("--parquet", "the same as Apache Parquet")
    .option("--markdown", "as Markdown for a README: mean gains, a case a line")
    .addOption(only())
    .action(exportRun);
  program
    .command("verify")
    .description("re-check from a run's files that every load is what its row says")
    .argument(...aRun)
    .option("--json", "as JSON, with every load that is invalid or flagged")
    .option(
      "--again <n>",
      "of a run on the virtual clock: make so many of its chunks again, and compare",
      wholeNumber(1, 10_000),
    )
    .addOption(new Option("--seed <n>", "which chunks --again takes").argParser(wholeNumber(0, 2 ** 32 - 1)).default(1))
    .action(verify);
}

/** What is not the lab's own. */
export function addSurveys(program: Command): void {
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
}
