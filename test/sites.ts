/** Three small sites as people build them, with features that make real pages load differently from plain lists of files. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** A site's files by path. */
export type Site = Readonly<Record<string, Buffer | string>>;

/** Reads the files of one of the lab's imported pages. */
function siteOf(page: string): Site {
  const folder = `pages/${page}`;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

export const sites: Readonly<Record<string, Site>> = Object.fromEntries(
  ["article", "app", "shop"].map((page) => [page, siteOf(page)]),
);
