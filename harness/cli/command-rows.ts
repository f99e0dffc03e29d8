/** The rows of commands.txt, which the entry script `lab` also reads. */
import { readFileSync } from "node:fs";

export const rowsOfCommands = (): string[][] =>
  readFileSync(new URL("./commands.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(/ +/));
