import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { environment } from "./environment.ts";

/**
 * Makes a folder for data that the lab can compute again; you can delete the folder at any time. All checkouts of a user share it. The folder
 * is outside results/, so that a run copied from elsewhere cannot bring cached data along.
 * @returns the folder's path, which is in the state folder if the user's cache cannot be written, or belongs to somebody else
 */
export function cacheFolder(name: string): string {
  const path = `${environment.cache}/${name}`;
  try {
    for (const one of [dirname(environment.cache), environment.cache, path]) make(one);
    accessSync(path, constants.W_OK);
    if (statSync(path).uid === process.getuid?.()) return path;
  } catch {
    // The cache cannot be used, as in a container whose user has no home.
  }
  return `${environment.state}/${name}`;
}

/** Makes a folder without its parents: a missing home directory must not be made, and below /proc a recursive mkdir in Node.js never returns. */
function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error; // another process may have made it
  }
}
