/** The commands that make loads, or say which would be made. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { allAxes } from "../../../axes/registry.ts";
import { tracesKept } from "../../../schema/records.ts";
import { parseQuantity } from "../../../schema/units.ts";
import { plan } from "../plan.ts";
import { run } from "../run.ts";
import { trial } from "../trial.ts";
import { clock, defaultExperiment, lanes, loads, only, replaced, seed, substrate, timeLimit } from "./options.ts";

function parseUntil(text: string): number {
  const percent = Number(/^ci=([\d.]+)%$/.exec(text)?.[1]);
  if (!(percent >= 0.1 && percent <= 50))
    throw new InvalidArgumentError('"ci=0.1%" to "ci=50%" is allowed: the half width of the median\'s 95% interval.');
  return percent;
}

/** What every run can be asked. */
const running = (command: Command) =>
  command
    .addOption(loads())
    .addOption(seed())
    .option("--timeout <time>", 'a load that takes longer has failed, as in "120 s"', timeLimit)
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
    .option(
      "--capture",
      "after its loads one more of each condition, which is no sample, with packets, keys and logs (docs/captures.md)",
    )
    .option("--dry-run", "print the order of the loads, make none")
    .addOption(substrate())
    .addOption(clock())
    .addOption(lanes());

export function addMaking(program: Command): void {
  running(program.command("run"))
    .description("make an experiment's loads")
    .argument("[experiment]", "which one", defaultExperiment)
    .addOption(only())
    .addOption(replaced())
    .option("--resume [run]", "go on with a run (the latest, if none is named)")
    .action(run);
  addTrial(program);
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
}

/** Its options are the axes. */
function addTrial(program: Command): void {
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
}
