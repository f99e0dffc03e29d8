/** Pages that a command gets as the path of a folder or HAR. The lab loads a copy named by a hash of its files, so the path does not affect loads. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { usageError } from "../schema/errors.ts";
import { inOneLine } from "../schema/foreign-words.ts";
import { counted } from "../schema/words.ts";
import { importHar } from "./har/import-har.ts";
import { checkImportedPage } from "./imported/check-page.ts";
import { type ImportedPage, isImportedFolder, readImportedPage } from "./imported/imported-page.ts";
import { pageFileName, readFolder } from "./imported/page-folder.ts";
import { startFile } from "./paths.ts";
import { bodiesOf, isRecordedFolder } from "./recorded/recording.ts";

/** The folder of the copies. `listPages` finds them in addition to the pages in pages/. */
export const givenPages = ".lab/pages";

/** The limit of a page's size. A guest holds a page's files in memory twice, as an archive and unpacked. */
export const mostPageBytes = 200e6;

export interface GivenPage {
  path: string;
  /** The name under which commands and runs know the page: "page-" and a hash. */
  name: string;
  /** The largest number of hosts with which each host has a resource; 1 if page.yml assigns no files to hosts, and for a recording. */
  hosts: number;
  /** Sentences about what is loaded and what is not. */
  sentences: string[];
}

/** Returns the paths of the named HTML files. A folder's name means its index.html. @throws LabError (usage) if a page lacks one of the files */
export function documentsIn(pages: readonly GivenPage[], names: readonly string[]): string[] {
  const sites = pages.map(({ name, path }) => ({
    path,
    html: htmlIn(`${givenPages}/${name}`),
  }));
  return names.map((name) => {
    const forms = [join(name), join(name, startFile)];
    const document = forms.find((form) => sites.every(({ html }) => html.includes(form)));
    if (document !== undefined) return document;
    const lacks = (among: string[]) => sites.find(({ html }) => !among.some((form) => html.includes(form)));
    const { path, html } = lacks(forms) ?? lacks([join(name)])!;
    throw usageError(listed(html, `--pages ${name}: ${path} has no HTML file "${name}"; its HTML files`).join());
  });
}

/** Lists a page's HTML files. A recorded page has only one document, at the URL that was recorded. */
const htmlIn = (folder: string): string[] =>
  isRecordedFolder(folder) ? [startFile] : [...readFolder(folder).keys()].filter(isHtml);

const isHtml = (file: string) => /\.x?html?$/i.test(file);

/** @param most the lab's number of hosts @throws LabError (usage) that names the path and the problem */
export function givePage(path: string, most: number): GivenPage {
  if (/^https?:/i.test(path)) throw usageError(`${path}: record the site first: ./lab page record ${path}`);
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory()) return givenFolder(path, path, most);
  if (!status?.isFile() || !/\.har(\.gz)?$/i.test(path))
    throw usageError(
      `${path}: ${status ? "it is neither a folder nor a HAR (NAME.har)" : "there is no such folder or HAR"}`,
    );
  const directory = mkdtempSync(join(tmpdir(), "lab-har-"));
  try {
    const { folder, sentences } = importHar(path, "page", directory);
    const given = givenFolder(folder, path, most);
    return { ...given, sentences: [...sentences.map((sentence) => `${path}: ${sentence}`), ...given.sentences] };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function givenFolder(folder: string, path: string, most: number): GivenPage {
  if (isRecordedFolder(folder)) return givenRecording(folder, path);
  const files = readFolder(folder);
  if (!isImportedFolder(folder)) throw usageError(`${path}: ${noStart([...files.keys()])}`);
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > mostPageBytes)
    throw usageError(
      `${path} has ${megabytes(bytes)} in ${counted(files.size, "file")}, but a page may have ${megabytes(mostPageBytes)}; give a folder with only the files of this page`,
    );
  const page = readImportedPage("page", folder);
  const name = keep(page);
  const { resources, outside } = checkImportedPage(page, most);
  const absent = resources.filter((one) => one.bytes === null).map((one) => one.path);
  return {
    path,
    name,
    hosts: Object.keys(page.hosts).length ? hostsOf(resources, most) : 1,
    sentences: [
      `${path} is ${name}: ${counted(files.size, "file")}, ${megabytes(bytes)}`,
      ...listed(outside, `${path}: addresses of other hosts are not loaded`),
      ...listed(absent, `${path}: these files are missing, so the server responds with 404`),
    ],
  };
}

/** One host of the lab serves all host names of a given recording, as it does for a recorded page in pages/. */
function givenRecording(folder: string, path: string): GivenPage {
  const page = readImportedPage("page", folder);
  const { exchanges, hosts } = page.recording!;
  const bytes = bodiesOf(exchanges).reduce((sum, body) => sum + body.bytes, 0);
  const name = keep(page);
  const names = hosts.flatMap((host) => host.names).length;
  const sentence = `${path} is ${name}: ${counted(exchanges.length, "recorded response")} of ${counted(names, "host name")}, ${megabytes(bytes)}`;
  return { path, name, hosts: 1, sentences: [sentence] };
}

function keep(page: ImportedPage): string {
  const name = pageNameOf(page);
  const [kept, now] = [`${givenPages}/${name}`, new Date()];
  if (existsSync(kept)) utimesSync(kept, now, now);
  else copyPage(page, kept);
  removeOld();
  return name;
}

function noStart(files: string[]): string {
  if (files.length === 0) return "the folder is empty; give the folder that your build writes";
  const [has = "it has no HTML files"] = listed(files.filter(isHtml), "its HTML files");
  return `the folder has no ${startFile}, a page's start file; ${has}`;
}

const shown = 3;
function listed(names: string[], sentence: string): string[] {
  if (names.length === 0) return [];
  const more = names.length - shown;
  return [`${sentence}: ${names.slice(0, shown).map(inOneLine).join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;

const hostsOf = (resources: { hosts: string[] }[], most: number): number =>
  Array.from({ length: most }, (_, i) => most - i).find(
    (count) => new Set(resources.map(({ hosts }) => hosts[count - 1])).size === count,
  ) ?? 1;

const nameLength = 12;
export const pageNameOf = ({ sha256 }: Pick<ImportedPage, "sha256">): string => `page-${sha256.slice(0, nameLength)}`;

/** Copies only page.yml and the files that are served. The copy appears completely or not at all. */
export function copyPage({ files, folder }: ImportedPage, target: string): void {
  mkdirSync(givenPages, { recursive: true });
  const aside = mkdtempSync(`${givenPages}/.copy-`);
  for (const [path, { source }] of files) {
    mkdirSync(dirname(join(aside, path)), { recursive: true });
    copyFileSync(source, join(aside, path));
  }
  if (existsSync(join(folder, pageFileName))) copyFileSync(join(folder, pageFileName), join(aside, pageFileName));
  renameSync(aside, target);
}

/** Removes old copies, because every command builds all pages that exist. A run that needs an old page keeps its own copy. */
function removeOld(): void {
  const dayMs = 86_400_000;
  for (const path of readdirSync(givenPages).map((name) => join(givenPages, name)))
    if (Date.now() - statSync(path).mtimeMs > dayMs) rmSync(path, { recursive: true, force: true });
}
