/** The registry of pages: one folder a page, with a page.yml in it. Adding a page is adding such a folder. */
import { existsSync, readdirSync } from "node:fs";
import { usageError } from "../schema/errors.ts";
import type { BuildOptions } from "./build.ts";
import { makePage, type Page } from "./page.ts";
import { readPageFile } from "./page-file.ts";
import { checkPage } from "./page-stats.ts";
import { ensurePages } from "./site.ts";

export { type BuildOptions, buildPage } from "./build.ts";
export { objectHost, objectPath, type ProtocolPort, pagePath } from "./html.ts";
export { expectedRequests, type Page, type PageObject, totalBytes } from "./page.ts";
export { describePage, type PageRow } from "./page-stats.ts";

const pagesDirectory = "pages";
const siteDirectory = ".lab/site";

const fileOf = (name: string, directory: string) => `${directory}/${name}/page.yml`;

export function listPages(directory = pagesDirectory): string[] {
  return readdirSync(directory)
    .filter((name) => /^[\w-]+$/.test(name) && existsSync(fileOf(name, directory)))
    .sort();
}

/** @throws LabError (usage) for an unknown name, or a page.yml that says something impossible */
export function loadPage(name: string, directory = pagesDirectory): Page {
  const names = listPages(directory);
  if (!names.includes(name)) throw usageError(`there is no page "${name}"; there is: ${names.join(", ")}`);
  const path = fileOf(name, directory);
  const page = makePage(name, path, readPageFile(path));
  checkPage(page);
  return page;
}

/**
 * Builds what is missing or out of date below `rootDir`, the servers' document root: all pages, or those given.
 * @returns the names of the pages that were built
 */
export function ensureSite(
  rootDir: string | undefined,
  { pages = listPages().map((name) => loadPage(name)), ...options }: BuildOptions & { pages?: Page[] },
): Promise<string[]> {
  return ensurePages(rootDir ?? siteDirectory, pages, options);
}
