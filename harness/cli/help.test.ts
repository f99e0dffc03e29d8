/**
 * Checks that help.txt is what commander would print. `./lab --help` prints this file, so that it works before anything is installed. UPDATE=1
 * writes the file. The file may lack the options of axes that are newer than the file.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { type Command, Help } from "commander";
import { axisNames } from "../../axes/registry.ts";
import { programOf } from "./program.ts";

const file = new URL("./help.txt", import.meta.url);

const kept = readFileSync(file, "utf8");
const isAdded = (option?: string) =>
  option !== undefined && axisNames.some((name) => option === `--${name}`) && !kept.includes(`  ${option} <`);

/** The help of a command and of its subcommands, each under a title line. */
function helpOf(command: Command, words: string): string {
  const printed: string[] = [];
  command.configureOutput({ ...command.configureOutput(), writeOut: (text) => printed.push(text) });
  const visibleOptions = (one: Command) => new Help().visibleOptions(one).filter(({ long }) => !isAdded(long));
  if (!process.env.UPDATE) command.configureHelp({ visibleOptions });
  command.outputHelp();
  const below = command.commands.map((one) => helpOf(one, `${words} ${one.name()}`));
  return [`=== ${words}\n`, ...printed, ...below].join("");
}

test("help.txt, which the entry script prints, is the same as commander's help", async () => {
  const printed = helpOf(await programOf(), "lab");
  if (process.env.UPDATE) writeFileSync(file, printed);
  assert.equal(
    process.env.UPDATE ? printed : kept,
    printed,
    "UPDATE=1 node --import tsx --test harness/cli/help.test.ts",
  );
});
