/** The command-line parser: one file for each command, in the order of commands.txt. */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { environment } from "../../hosts/environment.ts";
import { exitCodeMeanings } from "../../schema/errors.ts";
import { say } from "../output/output.ts";
import { rowsOfCommands } from "./command-rows.ts";

const commandNames = (): string[] => rowsOfCommands().flatMap(([name = ""]) => (name.includes("/") ? [] : [name]));

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** The help has the same width in each terminal, because the script `lab` prints it from a file. */
const helpColumns = 100;

/** @param only the command whose file is loaded; if there is no command of this name, all commands' files are loaded */
export async function programOf(only?: string): Promise<Command> {
  const lab = new Command("lab")
    .description("How much faster does this page load, if the protocol, the server or TCP changes?")
    .version(`Pageload Lab ${version}, commit ${environment.commit}`, "--version", "print the version and commit")
    .addHelpText("after", `\n${exitCodeMeanings}`)
    .exitOverride()
    .configureOutput({
      writeErr: (text) => say(text.replace(/^error: (command-argument )?/, "lab: ").replace(/\n$/, "")),
      getOutHelpWidth: () => helpColumns,
      getErrHelpWidth: () => helpColumns,
    })
    .showHelpAfterError("(./lab --help lists the commands, ./lab COMMAND --help the options)");
  const names = commandNames();
  for (const name of names.includes(only ?? "") ? [only] : names) {
    const { addTo } = (await import(`./commands/${name}.ts`)) as { addTo(lab: Command): void };
    addTo(lab);
  }
  return lab;
}
