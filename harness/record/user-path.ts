/** Resolves paths relative to the folder in which the user called ./lab, because ./lab changes to the checkout. */
import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { environment } from "../../hosts/environment.ts";

/** @param path a path as the user typed it @returns a path for this process; "" stays "", because it is no path */
export const userPath = (path: string): string =>
  path === "" || isAbsolute(path) || resolve(environment.from) === process.cwd() ? path : join(environment.from, path);

/** Returns null for a name that is not a path. If a folder has the same name as one of `pages`, NAME is the page and ./NAME the folder. */
export function pathOfPage(word: string, pages: Readonly<Record<string, unknown>>): string | null {
  const isWritten = /\/|\.har(\.gz)?$/i.test(word);
  return isWritten || (!Object.hasOwn(pages, word) && existsSync(userPath(word))) ? userPath(word) : null;
}
