/** The help text of `./lab gate`, and the gate's options, which are parsed from this text. */
import { existsSync, readFileSync } from "node:fs";

/** `npm pack` puts the gate's part of harness/cli/help.txt next to this file. */
const packed = new URL("help.txt", import.meta.url);
const file = existsSync(packed) ? packed : new URL("../harness/cli/help.txt", import.meta.url);

export const gateHelp =
  readFileSync(file, "utf8")
    .split(/^=== /m)
    .find((section) => section.startsWith("lab gate\n"))
    ?.slice("lab gate\n".length) ?? "";

/**
 * @typedef {object} Option
 * @property {"none" | "needed" | "possible"} value whether the option has a value
 * @property {string} kind the help's word for the value: "file" for `--config <file>`
 */

/** @type {ReadonlyMap<string, Option>} options by name, as in "--config" */
export const gateOptions = new Map(
  [...gateHelp.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)(?: ([<[])([^>\]]+))?/gm)].map(
    ([, name = "", bracket, kind = ""]) => [
      name,
      { value: bracket === "<" ? "needed" : bracket === "[" ? "possible" : "none", kind },
    ],
  ),
);
