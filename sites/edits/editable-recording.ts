/** Makes a recorded page's HTML editable. Requests by scripts still get their recorded responses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parsedUrl } from "../../schema/parsed-url.ts";
import type { ImportedPage } from "../imported/imported-page.ts";
import { type Target, type Text, textIn } from "../imported/resources.ts";
import { isHtmlType } from "../imported/text-encoding.ts";
import { startFile } from "../paths.ts";
import { codingOf, headerOf } from "../recorded/content-coding.ts";
import { bodiesFolder, type Exchange, type Recording, startOf } from "../recorded/recording.ts";
import { type EditablePage, editableFolder, nameOfCopy } from "./editable-page.ts";

const isRedirect = ({ status }: Exchange) => status >= 300 && status < 400 && status !== 304;
const ok = 200;

/** Returns the name of a URL's file: the URL without fragment and scheme. All URLs of a load have the same scheme. */
export const fileOfUrl = ({ host, pathname, search }: URL): string => host + pathname + search;

/** Maps each file to its recorded response. If a request was recorded several times, the last response counts, as in the server `replay`. */
export const exchangesOf = ({ exchanges }: Recording): ReadonlyMap<string, Exchange> =>
  new Map(exchanges.filter(({ method }) => method === "GET").map((one) => [fileOfUrl(new URL(one.url)), one]));

function targetIn(exchange: Exchange | undefined): string | null {
  const location = exchange && isRedirect(exchange) ? headerOf(exchange, "location") : undefined;
  const url = exchange && location !== undefined ? parsedUrl(location, exchange.url) : null;
  return url && fileOfUrl(url);
}

/** @returns the page and the name of its document; null if the document cannot be edited, because it is not HTML or cannot be decoded */
export function editablePage(source: ImportedPage): { page: EditablePage; document: string } | null {
  const { recording } = source;
  return recording ? editableRecording(source, recording) : { page: editableFolder(source), document: startFile };
}

function editableRecording(source: ImportedPage, recording: Recording) {
  const exchanges = exchangesOf(recording);
  const [document, redirects] = documentOf(recording, exchanges);
  const typeOf = (file: string) => {
    const exchange = exchanges.get(file);
    return (exchange && headerOf(exchange, "content-type")?.split(";")[0]?.trim().toLowerCase()) ?? "";
  };
  const has = (file: string) => exchanges.get(file)?.status === ok;
  const contentOf = (file: string) => (has(file) ? decoded(source, exchanges.get(file)!) : null);
  const isStyleSheet = (file: string) => has(file) && typeOf(file) === "text/css";
  const texts = new Map<string, Text | undefined>();
  const textOf = (file: string): Text | undefined => {
    if (texts.has(file)) return texts.get(file);
    const type = isStyleSheet(file) ? "text/css" : has(file) && isHtmlType(typeOf(file)) ? "text/html" : null;
    const content = type && contentOf(file);
    const own = exchanges.get(file)?.url ?? "";
    texts.set(file, type && content ? { path: file, ...textIn(content, type, own, fileMeant) } : undefined);
    return texts.get(file);
  };
  if (!textOf(document) || isStyleSheet(document)) return null;
  const targetOf = (file: string) => targetIn(exchanges.get(file));
  const page: EditablePage = {
    source,
    redirects,
    targetOf,
    has,
    contentOf,
    textOf,
    isStyleSheet,
    typeOf,
    urlOf,
    copyOf,
  };
  return { page, document };
}

const urlOf = (file: string) => `//${file}`;

/** The copy's name keeps the query, because scripts may read it. */
function copyOf(original: string, content: Buffer): string {
  const [, path = original, query = ""] = /^([^?]*)(.*)$/s.exec(original) ?? [];
  return nameOfCopy(path, content) + query;
}

/** Follows the redirects from the recording's first URL. */
function documentOf(
  recording: Recording,
  exchanges: ReadonlyMap<string, Exchange>,
): [document: string, redirects: string[]] {
  const redirects: string[] = [];
  let file = fileOfUrl(new URL(startOf(recording)));
  for (;;) {
    const target = targetIn(exchanges.get(file));
    if (target === null || redirects.includes(file)) return [file, redirects];
    redirects.push(file);
    file = target;
  }
}

function decoded({ folder }: ImportedPage, exchange: Exchange): Buffer | null {
  if (!exchange.body) return Buffer.alloc(0);
  try {
    return codingOf(exchange)?.decode(readFileSync(join(folder, bodiesFolder, exchange.body.sha256))) ?? null;
  } catch {
    return null; // damaged
  }
}

/** Returns the file that a reference names. The file need not be in the recording, because an edit may have added it. */
function fileMeant(reference: string, base: string): Target {
  const url = reference.startsWith("#") ? null : parsedUrl(reference, base);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return null;
  return { path: fileOfUrl(url), suffix: url.hash, asItStands: true };
}
