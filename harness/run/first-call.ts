/** Finds the first system call that differs between two executions of a chunk. This call shows what caused all later differences. */
import { createReadStream, existsSync, renameSync } from "node:fs";
import { createInterface } from "node:readline";
import { callsFile } from "../../substrate/guest/guest.ts";

/** Keeps the first execution's log in the folder, and compares later logs with it. @returns the difference; null after the first execution */
export async function firstDifferentCall(folder: string, chunk: number): Promise<string | null> {
  const [latest, first] = [`${folder}/${callsFile(chunk)}`, `${folder}/first-${callsFile(chunk)}`];
  if (!existsSync(first)) {
    renameSync(latest, first);
    return null;
  }
  const now = lines(latest);
  let number = 0;
  let same = "none";
  for await (const line of lines(first)) {
    number++;
    const { value = "" } = await now.next();
    if (line !== value) return difference(number, same, line, value);
    same = line;
  }
  const { value, done } = await now.next();
  return done ? `All ${number} system calls are the same.` : difference(number + 1, same, "", value);
}

const lines = (file: string): AsyncIterator<string, undefined> & AsyncIterable<string> =>
  createInterface({ input: createReadStream(file) })[Symbol.asyncIterator]();

const difference = (number: number, before: string, first: string, now: string): string =>
  [
    `The first system call that differs is number ${number}:`,
    `  before it: ${inWords(before)}`,
    `  first:     ${inWords(first)}`,
    `  now:       ${inWords(now)}`,
  ].join("\n");

/** @param line a line of the log, as the kernel writes it (substrate/guest/kernel/changes.patch) */
function inWords(line: string): string {
  const [, ns, process, program, call, result] = /^(\d+) (\d+) (.*) (\d+) (-?\d+)$/.exec(line) ?? [];
  if (ns === undefined) return line || "nothing";
  return `${(Number(ns) / 1e6).toFixed(3)} ms by the guest's clock, ${program} (process ${process}): call ${call} returned ${result}`;
}
