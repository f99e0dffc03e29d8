import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ExitCode, LabError } from "../../schema/errors.ts";

/**
 * Makes a folder that somebody named, and those that it lies in. Node.js's own `recursive` tries for ever where the kernel
 * says that a folder has no place for another, as it does below /proc.
 * @throws LabError, or what the file system refuses
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new LabError(
      ExitCode.machineCannot,
      `${path}: its file system has no place for a folder there (ENOENT, mkdir)`,
    );
  }
}
