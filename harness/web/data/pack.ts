/** A data file is a script, because a page that was opened from a disk may load nothing else. */
import { gzipSync } from "node:zlib";
import { steps } from "./steps.ts";

/** Compressed and encoded in letters without a meaning in HTML or JavaScript, whatever names the data contains. */
export const dataScript = (name: string, data: unknown): string =>
  `lab(${JSON.stringify(name)},"${gzipSync(JSON.stringify(data, (_, value) => steps.from(value))).toString("base64")}")\n`;
