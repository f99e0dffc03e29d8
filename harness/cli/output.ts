/** Where the commands' words leave the lab: results on stdout, what happens on stderr. Foreign words among them stay words. */
import { forTerminal } from "../../schema/foreign-words.ts";

/** Prints a result, of which a newline is the end. */
export const print = (text: string): void => void process.stdout.write(`${forTerminal(text).replace(/\n$/, "")}\n`);

/** Says what happens. */
export const say = (text: string): void => void process.stderr.write(`${forTerminal(text)}\n`);
