/** Creates an imported page's folder from a recording: its bodies, with references rewritten to the folder's files. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { stringify } from "yaml";
import { usageError } from "../../schema/errors.ts";
import { counted } from "../../schema/words.ts";
import { cssPlaces } from "../imported/css-references.ts";
import { htmlPlaces } from "../imported/html-references.ts";
import { mostHosts, mostServerMs, readImportedPage } from "../imported/imported-page.ts";
import { pageFileName } from "../imported/page-folder.ts";
import { rewrite } from "../imported/place.ts";
import { encodedPath } from "../paths.ts";
import { fillerOf, madeHtml } from "./body-filler.ts";
import { hostFolder, namesOf } from "./names.ts";
import { type Recorded, type Recording, readHar } from "./read-har.ts";

export interface Imported {
  folder: string;
  /** Sentences about what was imported. */
  sentences: string[];
}

/** @throws LabError (usage) for an invalid HAR, one without a page, or a name that is taken */
export function importHar(file: string, name = nameOf(file), directory = "pages"): Imported {
  const folder = `${directory}/${name}`;
  if (!/^[\w-]+$/.test(name))
    throw usageError(`--name "${name}": a page's name has one or more letters, digits, _ and -`);
  if (existsSync(folder)) throw usageError(`${folder} exists already; use another --name, or remove it`);
  mkdirSync(directory, { recursive: true });
  const part = mkdtempSync(`${directory}/.import-`); // a page is there completely or not at all
  try {
    const sentences = writePage(file, readHar(file), part);
    readImportedPage(name, part);
    renameSync(part, folder);
    return { folder, sentences };
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** Writes a recording's page into an empty folder. @returns sentences about it */
function writePage(file: string, recording: Recording, folder: string): string[] {
  const { recorded } = recording;
  const start = recorded.find(({ type, status }) => type === "text/html" && status === 200);
  if (!start) throw usageError(`${file} has no HTML document with status 200: a page starts with one`);
  const kept = recorded.filter(({ redirect }) => redirect === null);
  const paths = new Paths(recorded, namesOf(kept, start));
  const named = new Set<string>();
  for (const one of kept.filter(isThere)) {
    const isStart = one === start;
    if (isStart && !one.body) continue;
    write(folder, paths.of(one.url)!, one.body ? withPaths(one, paths, named) : fillerOf(one));
  }
  const unnamed = kept.filter((one) => one !== start && !named.has(paths.of(one.url)!));
  if (!start.body) write(folder, paths.of(start.url)!, Buffer.from(made(start, unnamed, recording, paths)));
  const hosts = [...new Set([start, ...kept].map(({ url }) => new URL(url).host))];
  const title = recording.title ?? start.url;
  write(
    folder,
    pageFileName,
    Buffer.from(
      stringify({ title, source: `HAR of ${start.url}`, ...keeping(hosts, kept), ...serverTimesOf(kept, paths) }),
    ),
  );
  return [...recording.sentences, ...sentencesOf(recorded, start, hosts, unnamed)];
}

const nameOf = (file: string): string =>
  basename(file)
    .replace(/\.har$/i, "")
    .replace(/[^\w-]+/g, "-")
    .replace(/^-+|-+$/g, "") || "recorded";

/** Whether the server had the file. Without a file, the lab's servers respond with 404 too. */
const isThere = ({ status }: Recorded): boolean => (status >= 200 && status < 300) || status === 304;

class Paths {
  readonly #redirects: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;

  constructor(recorded: readonly Recorded[], names: ReadonlyMap<string, string>) {
    this.#redirects = new Map(recorded.flatMap(({ url, redirect }) => (redirect === null ? [] : [[url, redirect]])));
    this.#names = names;
  }

  /** The file for a URL, after redirects; undefined if it was not recorded, or redirects form a circle. */
  of(url: string): string | undefined {
    let at = url.replace(/#.*/s, "");
    for (let steps = 0; steps <= this.#redirects.size && this.#redirects.has(at); steps++)
      at = this.#redirects.get(at)!;
    return this.#names.get(at);
  }
}

/** The body; in HTML and CSS, references to recorded URLs become relative paths, and others stay. */
function withPaths({ url, type, body }: Recorded, paths: Paths, named: Set<string>): Buffer {
  const isHtml = type === "text/html" || type === "application/xhtml+xml";
  if (!isHtml && type !== "text/css") return body!;
  const text = body!.toString("utf8");
  const { base, places } = isHtml ? htmlPlaces(text) : { base: null, places: cssPlaces(text) };
  const from = base !== null && URL.canParse(base, url) ? new URL(base, url).href : url;
  const own = dirname(paths.of(url)!);
  const rewritten = rewrite(text, places, (reference) => {
    // References are now relative to the file.
    if (reference.as === "base") return "";
    if (!URL.canParse(reference.url, from) || reference.url.startsWith("#")) return reference.url;
    const { href, hash } = new URL(reference.url, from);
    const path = paths.of(href);
    if (path === undefined) return /^https?:/.test(href) ? href : reference.url;
    if (reference.as !== "connection") named.add(path);
    return encodedPath(posix.relative(own, path)) + hash;
  });
  return Buffer.from(rewritten);
}

/** HTML for a start document without a recorded body: it references every file that no other text does. */
function made(start: Recorded, unnamed: readonly Recorded[], { title }: Recording, paths: Paths): string {
  const named = unnamed.map(({ url, type }) => ({ url: encodedPath(paths.of(url)!), type }));
  return madeHtml(title ?? start.url, named, start);
}

/** Assigns each recorded host to one of the lab's, in the order of the first requests. */
function keeping(hosts: string[], kept: readonly Recorded[]): { hosts?: Record<string, number> } {
  const [own, ...others] = hosts;
  if (others.length === 0) return {};
  const there = new Set(kept.filter(isThere).map(({ url }) => new URL(url).host));
  const folders = others
    .filter((host) => there.has(host))
    .map((host, i) => [`${hostFolder(host)}/`, ((i + 1) % mostHosts) + 1]);
  return own && folders.length ? { hosts: { "/": 1, ...Object.fromEntries(folders) } } : {};
}

function serverTimesOf(kept: readonly Recorded[], paths: Paths): { serverTimes?: Record<string, number> } {
  const slow = kept.filter((one) => isThere(one) && one.serverMs > 0);
  const times = slow.map((one) => [paths.of(one.url)!, Math.min(one.serverMs, mostServerMs)]);
  return slow.length ? { serverTimes: Object.fromEntries(times) } : {};
}

function sentencesOf(
  recorded: readonly Recorded[],
  start: Recorded,
  hosts: string[],
  unnamed: readonly Recorded[],
): string[] {
  const count = (number: number, one: string, many: string, sentence: string) =>
    number ? [`${counted(number, one, many)}${sentence}`] : [];
  const there = recorded.filter((one) => one.redirect === null && isThere(one));
  return [
    `${counted(there.length, "file")} from ${start.url}; texts are sent compressed`,
    ...count(
      recorded.filter(({ redirect }) => redirect !== null).length,
      "redirect",
      "redirects",
      ": what names one names where it led",
    ),
    ...count(
      recorded.filter((one) => one.redirect === null && !isThere(one)).length,
      "answer that was no file",
      "answers that were no files",
      " (404 and others): the lab's answer is 404",
    ),
    ...count(
      there.filter(({ body }) => !body).length,
      "body was",
      "bodies were",
      " not recorded: filler of the same size and type",
    ),
    ...count(
      there.filter(({ serverMs }) => serverMs > 0).length,
      "server time is",
      "server times are",
      " recorded: the axis serverTimes, --server-times of ./lab gate, has servers wait as long",
    ),
    ...count(
      there.filter(({ serverMs }) => serverMs > mostServerMs).length,
      "server time is",
      "server times are",
      ` longer than ${mostServerMs / 1000} s, and cut to that`,
    ),
    ...(start.body ? [] : ["the HTML was not recorded: one is made that names all that no style sheet does, in order"]),
    ...(start.body
      ? count(
          unnamed.length,
          "file is",
          "files are",
          " named by no HTML and no CSS, and loaded if scripts ask for it here",
        )
      : []),
    ...(hosts.length > 1
      ? [
          `${hosts.length} hosts: ${hosts.map((host, i) => `${host} is number ${i + 1}`).join(", ")}; with fewer, they begin again with the first (hosts in page.yml: without it, files are divided in turn)`,
        ]
      : []),
  ];
}

function write(folder: string, path: string, content: Buffer): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}
