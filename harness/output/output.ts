/** Prints all output of commands: results to stdout, messages to stderr. Escapes control sequences, because others may have written a text. */
import { forTerminal } from "../../schema/foreign-words.ts";

/** Prints a result, and a newline at its end. */
export const print = (text: string): void => void process.stdout.write(`${forTerminal(text).replace(/\n$/, "")}\n`);

/** Prints a message about progress or a problem. */
export const say = (text: string): void => void process.stderr.write(`${forTerminal(text)}\n`);
