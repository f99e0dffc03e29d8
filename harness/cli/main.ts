import { Command } from "commander";
import { ExitCode } from "../../schema/errors.ts";
import { clean } from "./clean.ts";
import { addBenches } from "./commands/bench.ts";
import { addMaking } from "./commands/make.ts";
import { substrate } from "./commands/options.ts";
import { addPages } from "./commands/page.ts";
import { addChecks, addReports, addSurveys } from "./commands/read.ts";
import { doctor } from "./doctor.ts";
import { endingOf } from "./ending.ts";
import { list, listable } from "./list.ts";

const program = new Command("lab")
  .description("How much faster does this page load, if the protocol, the server or TCP changes?")
  .addHelpText(
    "after",
    "\nExit codes: 0 done, 1 failed, 2 usage, 3 this machine cannot, 4 the link is not what was asked for,\n5 some loads are missing, 130 interrupted.",
  )
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(text.replace(/^error: /, "lab: ")) })
  .showHelpAfterError("(./lab --help lists the commands, ./lab COMMAND --help the options)");

addMaking(program);
addReports(program);
addChecks(program);
addSurveys(program);
program
  .command("list")
  .description("print what an experiment can name")
  .addArgument(listable)
  .showHelpAfterError()
  .action(list);
addPages(program);
program
  .command("doctor")
  .description("can this machine run the lab, and what to do if not")
  .addOption(substrate())
  .action(doctor);
addBenches(program);
program.command("clean").description("end this lab's run, and remove what it keeps outside results/").action(clean);
// The entry script handles it; it stands here for --help.
program.command("test").description("set up and run the tests");

// Who reads no further, as `head` does, is no defect.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? ExitCode.done : ExitCode.failed),
  );

try {
  process.exitCode = ExitCode.done;
  await program.parseAsync();
} catch (error) {
  const { exitCode, text } = endingOf(error);
  if (text) process.stderr.write(`lab: ${text}\n`);
  process.exitCode = exitCode;
}
