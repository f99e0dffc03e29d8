import { Command } from "commander";
import { ExitCode, exitCodeMeanings } from "../../schema/errors.ts";
import { endingOf } from "./ending.ts";

/** One file for each command, loaded when the command is called, in the order of --help. */
const commands: Record<string, () => Promise<{ addTo(lab: Command): void }>> = {
  run: () => import("./commands/run.ts"),
  try: () => import("./commands/try.ts"),
  plan: () => import("./commands/plan.ts"),
  list: () => import("./commands/list.ts"),
  tables: () => import("./commands/tables.ts"),
  claims: () => import("./commands/claims.ts"),
  score: () => import("./commands/score.ts"),
  report: () => import("./commands/report.ts"),
  explain: () => import("./commands/explain.ts"),
  figures: () => import("./commands/figures.ts"),
  compare: () => import("./commands/compare.ts"),
  verify: () => import("./commands/verify.ts"),
  check: () => import("./commands/check.ts"),
  pack: () => import("./commands/pack.ts"),
  export: () => import("./commands/export.ts"),
  page: () => import("./commands/page.ts"),
  trace: () => import("./commands/trace.ts"),
  survey: () => import("./commands/survey.ts"),
  doctor: () => import("./commands/doctor.ts"),
  bench: () => import("./commands/bench.ts"),
  test: () => import("./commands/test.ts"),
  clean: () => import("./commands/clean.ts"),
};

const lab = new Command("lab")
  .description("How much faster does this page load, if the protocol, the server or TCP changes?")
  .addHelpText("after", `\n${exitCodeMeanings}`)
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(text.replace(/^error: (command-argument )?/, "lab: ")) })
  .showHelpAfterError("(./lab --help lists the commands, ./lab COMMAND --help the options)");

// A pipe's reader that stops early, as `head` does, is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? ExitCode.done : ExitCode.failed),
  );

try {
  process.exitCode = ExitCode.done;
  const named = commands[process.argv[2] ?? ""];
  for (const load of named ? [named] : Object.values(commands)) (await load()).addTo(lab);
  await lab.parseAsync();
} catch (error) {
  const { exitCode, text } = endingOf(error);
  if (text) process.stderr.write(`lab: ${text}\n`);
  process.exitCode = exitCode;
}
