/** Everything that commands print goes through here: results to stdout, messages to stderr. Foreign text in them is printed only as text. */
import { forTerminal } from "../../schema/foreign-words.ts";

/** Prints a result, and a newline at its end. */
export const print = (text: string): void => void process.stdout.write(`${forTerminal(text).replace(/\n$/, "")}\n`);

/** Prints a message about what happens. */
export const say = (text: string): void => void process.stderr.write(`${forTerminal(text)}\n`);
