import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { usageError } from "../schema/errors.ts";
import { fillerComment } from "./filler.ts";

const packages = createRequire(import.meta.url);

/** Pads a file of an npm package (e.g. "jquery/dist/jquery.min.js") by a comment. @param where the script's place in a page's file, for errors */
export function makeScript(from: string, sizeBytes: number, where: string): Buffer {
  const source = Buffer.concat([readInstalled(from, where), Buffer.from("\n")]);
  const spareBytes = sizeBytes - source.length;
  if (spareBytes < 0)
    throw usageError(
      `${where}.size: ${from} has ${source.length} B, so ${sizeBytes} B is too small; ${source.length} B or more is allowed`,
    );
  return Buffer.concat([source, Buffer.from(fillerComment(spareBytes, "/* ", " */"))]);
}

function readInstalled(from: string, where: string): Buffer {
  try {
    return readFileSync(packages.resolve(from));
  } catch {
    throw usageError(`${where}.from: no installed package has the file ${from}; is the package in package.json?`);
  }
}
