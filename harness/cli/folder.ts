import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ExitCode, LabError } from "../../schema/errors.ts";

/** Makes a folder and its parents. Node.js's own `recursive` option never returns if the kernel refuses a folder with ENOENT, as below /proc. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new LabError(ExitCode.machineCannot, `${path}: its file system allows no folder there (ENOENT, mkdir)`);
  }
}
