/** A data file is a script, because a page that was opened from a disk may load nothing else. */
import { gzipSync } from "node:zlib";
import { forTerminal } from "../../../schema/foreign-words.ts";
import { steps } from "./steps.ts";

/** Compressed and encoded in letters without a meaning in HTML or JavaScript, whatever names the data contains; nor do these change the direction of text. */
export const dataScript = (name: string, data: unknown): string =>
  `lab(${JSON.stringify(name)},"${gzipSync(JSON.stringify(data, (_, value) => (typeof value === "string" ? forTerminal(value) : steps.from(value)))).toString("base64")}")\n`;
