/** Finds pages: imported ones (folders with an index.html), recorded ones (recording.json), generated ones (only page.yml, or in responses.yml). */
import { existsSync, readdirSync } from "node:fs";
import { addedPath } from "../hosts/added.ts";
import { usageError } from "../schema/errors.ts";
import { counted } from "../schema/words.ts";
import { type BuildOptions, buildPage, variantsOf } from "./build-page.ts";
import { expectedRequests, makePage, type Page, totalBytes } from "./generated-page.ts";
import { givenPages } from "./given-page.ts";
import { type ImportedPage, isImportedFolder, readImportedPage } from "./imported/imported-page.ts";
import { findResources } from "./imported/resources.ts";
import { buildImportedPage } from "./imported/variant.ts";
import { type PageFile, readPageFile, readResponsesFile } from "./page-file.ts";
import { checkPage, describeGenerated, type PageRow } from "./page-stats.ts";
import { importedRoot } from "./paths.ts";
import { buildRecordedPage, type Certify } from "./recorded/replay-file.ts";
import { ensureFolders, keepFolders } from "./site.ts";

const pagesDirectory = "pages";
const pageName = /^[\w-]+$/;

const responsesFile = (directory: string) => `${directory}/responses.yml`;

function readResponses(directory: string): Readonly<Record<string, PageFile>> {
  return existsSync(responsesFile(directory)) ? readResponsesFile(responsesFile(directory)) : {};
}

const fileOf = (name: string, directory: string) => `${directory}/${name}/page.yml`;

/** @param directory the folder to search; by default, the folders of the lab's pages, of pages next to an experiment, and of given pages */
export function listPages(directory?: string): string[] {
  if (directory === undefined) {
    const [own, added] = [listPages(pagesDirectory), addedNames()];
    const both = added.find((name) => own.includes(name));
    if (both !== undefined)
      throw usageError(`page "${both}" is in the lab, and next to the experiment too: give your page another name`);
    const given = existsSync(givenPages) ? listPages(givenPages) : [];
    return [...own, ...added, ...given.filter((name) => !own.includes(name) && !added.includes(name))];
  }
  const folders = readdirSync(directory).filter(
    (name) => pageName.test(name) && (existsSync(fileOf(name, directory)) || isImportedFolder(`${directory}/${name}`)),
  );
  return [...folders.sort(), ...Object.keys(readResponses(directory))];
}

function addedNames(): string[] {
  const folder = addedPath(pagesDirectory);
  return folder === undefined ? [] : listPages(folder);
}

/** Finds a page's directory. The lab's pages and pages next to an experiment take precedence over pages given to commands or kept by runs. */
function directoryOf(name: string): string {
  if (addedNames().includes(name)) return addedPath(pagesDirectory)!;
  return existsSync(`${givenPages}/${name}`) && !listPages(pagesDirectory).includes(name) ? givenPages : pagesDirectory;
}

export const isImported = (page: Page | ImportedPage): page is ImportedPage => "files" in page;

/** @throws LabError (usage) for an unknown name, an invalid page.yml, or a file that cannot be served */
export function loadPage(name: string, directory = directoryOf(name)): Page | ImportedPage {
  const names = listPages(directory);
  const folder = `${directory}/${name}`;
  if (!names.includes(name)) throw usageError(missing(name, folder, names));
  return isImportedFolder(folder) ? readImportedPage(name, folder) : loadGenerated(name, directory);
}

function missing(name: string, folder: string, names: string[]): string {
  const known = `known: ${names.join(", ")}`;
  if (!existsSync(folder)) return `unknown page "${name}"; ${known}`;
  if (!pageName.test(name)) return `${folder}: a page's name has only letters, digits, _ and -; rename the folder`;
  return `${folder} is not a page: it has no index.html (imported page), page.yml (generated page) or recording.json (recorded page); ${known}`;
}

export function loadGenerated(name: string, directory = directoryOf(name)): Page {
  const response = readResponses(directory)[name];
  const path = response ? responsesFile(directory) : fileOf(name, directory);
  const page = makePage(name, path, response ?? readPageFile(path));
  checkPage(page);
  return page;
}

/**
 * Builds pages that are missing or outdated below `rootDir`, the servers' document root. Without `pages`, builds all pages, and deletes builds of
 * imported pages that no longer exist. @returns the names of the pages that were built
 */
export async function ensureSite(
  rootDir: string,
  {
    pages: given,
    certify = uncertified,
    ...options
  }: BuildOptions & { certify?: Certify; pages?: (Page | ImportedPage)[] },
): Promise<string[]> {
  const { hostCounts, protocols } = options;
  const pages = given ?? listPages().map((name) => loadPage(name));
  const generated = pages.filter((page): page is Page => !isImported(page));
  const imported = pages.filter(isImported);
  const asGenerated = generated.map((page) => ({
    name: page.name,
    from: [page, hostCounts, protocols],
    build: (folder: string) => buildPage(page, folder, options),
  }));
  const asImported = imported.map((page) => ({
    name: page.name,
    from: [page.sha256, hostCounts, protocols],
    build: (folder: string) =>
      page.recording
        ? buildRecordedPage({ ...page, recording: page.recording }, folder, { variants: variantsOf(options), certify })
        : buildImportedPage(page, folder, variantsOf(options)),
  }));
  if (!given)
    await keepFolders(
      `${rootDir}/${importedRoot}`,
      imported.map(({ name }) => name),
    );
  return [
    ...(await ensureFolders(rootDir, asGenerated)),
    ...(imported.length ? await ensureFolders(`${rootDir}/${importedRoot}`, asImported) : []),
  ];
}

const uncertified: Certify = (_, name) => {
  throw new Error(`recorded page ${name} needs certificates for its host names`);
};

/** Returns a page's row in `./lab list pages`. */
export function describePage(page: Page | ImportedPage): PageRow {
  if (!isImported(page)) return describeGenerated(page);
  const { requests, bytes } = sizeOf(page);
  const stats = page.recording
    ? `recorded: ${counted(page.recording.hosts.flatMap(({ names }) => names).length, "host name")}; ./lab page check ${page.name}`
    : `imported: ${page.files.size} files; ./lab page check ${page.name}`;
  return { name: page.name, title: page.title ?? page.name, resources: requests, bytes, stats };
}

/** Counts a page's requests and the bytes of the responses' bodies, for estimates: all references in HTML and CSS, or all recorded responses. */
export function sizeOf(page: Page | ImportedPage): { requests: number; bytes: number } {
  if (!isImported(page)) return { requests: expectedRequests(page), bytes: totalBytes(page) };
  if (page.recording) {
    const { exchanges } = page.recording;
    return { requests: exchanges.length, bytes: exchanges.reduce((sum, { body }) => sum + (body?.bytes ?? 0), 0) };
  }
  const found = findResources(page).found.filter(({ as }) => as !== "unasked");
  const bytes = found.reduce((sum, { path }) => sum + (page.files.get(path)?.bytes ?? 0), 0);
  return { requests: found.length, bytes };
}
