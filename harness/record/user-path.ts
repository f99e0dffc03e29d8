/** Relative paths begin where the user called ./lab, which changes to the checkout. */
import { isAbsolute, join, resolve } from "node:path";
import { environment } from "../../hosts/environment.ts";

/** @param path as the user typed it @returns a path for this process; "" stays "", which is no path */
export const userPath = (path: string): string =>
  path === "" || isAbsolute(path) || resolve(environment.from) === process.cwd() ? path : join(environment.from, path);
