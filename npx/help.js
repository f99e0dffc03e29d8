/** The help of `./lab gate`. Its text is also the list of the gate's options: there is no other one in this package. */
import { existsSync, readFileSync } from "node:fs";

/** `npm pack` puts the gate's part of the lab's file beside this one. */
const packed = new URL("help.txt", import.meta.url);
const file = existsSync(packed) ? packed : new URL("../harness/cli/help.txt", import.meta.url);

export const gateHelp =
  readFileSync(file, "utf8")
    .split(/^=== /m)
    .find((section) => section.startsWith("lab gate\n"))
    ?.slice("lab gate\n".length) ?? "";

/**
 * @typedef {object} Option
 * @property {"none" | "needed" | "possible"} value whether a value follows
 * @property {string} kind what the help calls it: "file" for `--config <file>`
 */

/** @type {ReadonlyMap<string, Option>} by their names, as in "--config" */
export const gateOptions = new Map(
  [...gateHelp.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)(?: ([<[])([^>\]]+))?/gm)].map(
    ([, name = "", bracket, kind = ""]) => [
      name,
      { value: bracket === "<" ? "needed" : bracket === "[" ? "possible" : "none", kind },
    ],
  ),
);
