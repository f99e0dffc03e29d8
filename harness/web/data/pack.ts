/** A data file is a script, for a page that was opened from a disk may load scripts and nothing else. */
import { gzipSync } from "node:zlib";
import { steps } from "./steps.ts";

/** Packed into letters that mean nothing to HTML or JavaScript, whatever the names in it are. */
export const dataScript = (name: string, data: unknown): string =>
  `lab(${JSON.stringify(name)},"${gzipSync(JSON.stringify(data, (_, value) => steps.from(value))).toString("base64")}")\n`;
