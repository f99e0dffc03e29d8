/** Appends to a journal on a small disk until the disk is full. Prints the error and how many lines are whole. Argument: the journal's path. */

import { Journal, readLines } from "../harness/record/journal.ts";
import type { LabError } from "../schema/errors.ts";

const path = process.argv[2] ?? "";
const journal = new Journal(path);
let appended = 0;
try {
  for (; appended < 1000; appended++) journal.append({ n: appended, filler: "x".repeat(997) });
} catch (error) {
  const { message, exitCode } = error as LabError;
  const whole = [...readLines(path)].map(({ bytes }) => JSON.parse(bytes.toString()) as unknown).length;
  console.log(JSON.stringify({ error: message, exitCode, appended, whole }));
}
