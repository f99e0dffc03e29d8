/** A data file is a script, because a page opened from disk can read data only from scripts. */
import { gzipSync } from "node:zlib";
import { forTerminal } from "../../../schema/foreign-words.ts";
import { steps } from "./steps.ts";

/** Data is encoded as Base64, which has no meaning in HTML or JavaScript. forTerminal escapes control and direction characters. */
export const dataScript = (name: string, data: unknown): string =>
  `lab(${JSON.stringify(name)},"${gzipSync(JSON.stringify(data, (_, value) => (typeof value === "string" ? forTerminal(value) : steps.from(value)))).toString("base64")}")\n`;
