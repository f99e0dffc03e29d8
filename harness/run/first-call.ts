/**
 * Where two makings of a chunk part: its guest's system calls, in the order in which they ended, are the same up to some moment, and
 * the first that differs tells what caused all that follows.
 */
import { createReadStream, existsSync, renameSync } from "node:fs";
import { createInterface } from "node:readline";
import { callsFile } from "../../substrate/guest/guest.ts";

/**
 * The log of a folder's first making stays; that of the latest one is compared with it.
 * @returns in words, where they part; null after the first making
 */
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

/** @param line as the kernel writes it (substrate/guest/kernel/changes.patch) */
function inWords(line: string): string {
  const [, ns, process, program, call, result] = /^(\d+) (\d+) (.*) (\d+) (-?\d+)$/.exec(line) ?? [];
  if (ns === undefined) return line || "nothing";
  return `${(Number(ns) / 1e6).toFixed(3)} ms by the guest's clock, ${program} (process ${process}): call ${call} gave ${result}`;
}
