import { Command } from "commander";
import { ExitCode, exitCodeMeanings } from "../../schema/errors.ts";
import { endingOf } from "./ending.ts";
import { say } from "./output.ts";

/** One file for each command, loaded when the command is called, in the order of --help. */
const commands = [
  ...["run", "try", "gate", "plan", "list", "tables", "claims", "score", "report", "explain", "figures"],
  ...["compare", "verify", "reproduce", "check", "pack", "export", "page", "trace", "survey"],
  ...["worker", "workers", "root", "doctor", "bench", "test", "clean"],
];

const lab = new Command("lab")
  .description("How much faster does this page load, if the protocol, the server or TCP changes?")
  .addHelpText("after", `\n${exitCodeMeanings}`)
  .exitOverride()
  .configureOutput({
    writeErr: (text) => say(text.replace(/^error: (command-argument )?/, "lab: ").replace(/\n$/, "")),
  })
  .showHelpAfterError("(./lab --help lists the commands, ./lab COMMAND --help the options)");

// It is no error if the reader of a pipe stops early, as `head` does.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? ExitCode.done : ExitCode.failed),
  );

try {
  process.exitCode = ExitCode.done;
  const named = commands.filter((name) => name === process.argv[2]);
  for (const name of named.length ? named : commands) {
    const { addTo } = (await import(`./commands/${name}.ts`)) as { addTo(lab: Command): void };
    addTo(lab);
  }
  await lab.parseAsync();
} catch (error) {
  const { exitCode, text } = endingOf(error);
  if (text) say(`lab: ${text}`);
  process.exitCode = exitCode;
}
