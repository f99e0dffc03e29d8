/** help.txt has what commander would print, because `./lab --help` may not wait for an installation. UPDATE=1 writes it. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Command } from "commander";
import { programOf } from "./program.ts";

const file = new URL("./help.txt", import.meta.url);

/** The help of a command and its subcommands, each under a title line. */
function helpOf(command: Command, words: string): string {
  const printed: string[] = [];
  command.configureOutput({ ...command.configureOutput(), writeOut: (text) => printed.push(text) });
  command.outputHelp();
  const below = command.commands.map((one) => helpOf(one, `${words} ${one.name()}`));
  return [`=== ${words}\n`, ...printed, ...below].join("");
}

test("the script prints the help that commander has", async () => {
  const printed = helpOf(await programOf(), "lab");
  if (process.env.UPDATE) writeFileSync(file, printed);
  assert.equal(readFileSync(file, "utf8"), printed, "UPDATE=1 node --import tsx --test harness/cli/help.test.ts");
});
