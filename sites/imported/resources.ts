/** Finds the resources that an imported page's HTML and CSS reference. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { encodedPath, startFile } from "../paths.ts";
import { cssPlaces } from "./css-references.ts";
import { htmlPlaces } from "./html-references.ts";
import type { ImportedPage } from "./imported-page.ts";
import type { Place, Reference } from "./place.ts";
import { textForm } from "./text-encoding.ts";

/**
 * What a reference points to. `path` is in the page's folder, whether that file exists or not. Servers respond to the reference with
 * this file, unless it names a folder without a "/" at its end: then servers redirect, or answer 404.
 */
export type Target = { path: string; suffix: string; asItStands: boolean } | { outside: string } | null;

/** An HTML or CSS file of the page. */
export interface Text {
  path: string;
  text: string;
  places: Place[];
  /** The file with this text. */
  toBytes(text: string): Buffer;
  /** @returns null for references that cause no request, such as data: URLs and fragments */
  targetOf(reference: Reference): Target;
}

/** A requested path, with the use of the first reference to it. */
export interface Resource {
  path: string;
  as: Reference["as"];
}

export interface Resources {
  /** Every HTML and CSS file of the folder. */
  texts: Text[];
  /** The start file first. */
  found: Resource[];
  /** URLs of other origins, each once. */
  outside: string[];
}

const resources: readonly Reference["as"][] = ["object", "unasked", "document"];
/** @param before how the path is used by an earlier reference */
const isRequested = (as: Reference["as"], before: Reference["as"] | undefined): boolean =>
  resources.includes(as) && (before === undefined || (before === "unasked" && as !== "unasked"));

/** A placeholder for the page's folder while relative URLs are resolved. */
const root = "https://page.invalid";
const isHtml = (path: string) => [".html", ".htm", ".xhtml"].includes(extname(path).toLowerCase());
const isCss = (path: string) => extname(path).toLowerCase() === ".css";

/** Breadth first from the start file, which is not the order in which a browser finds them. */
export function findResources(page: ImportedPage): Resources {
  const texts = new Map(
    [...page.files.keys()].filter((path) => isHtml(path) || isCss(path)).map((path) => [path, readText(page, path)]),
  );
  const found = new Map<string, Reference["as"]>([[startFile, "document"]]);
  const outside = new Set<string>();
  for (const path of found.keys())
    for (const { references } of texts.get(path)?.places ?? [])
      for (const reference of references) {
        const target = texts.get(path)!.targetOf(reference);
        if (target && "outside" in target) outside.add(target.outside);
        else if (target && isRequested(reference.as, found.get(target.path))) found.set(target.path, reference.as);
      }
  return {
    texts: [...texts.values()],
    found: [...found].map(([path, as]) => ({ path, as })),
    outside: [...outside],
  };
}

function readText({ files }: ImportedPage, path: string): Text {
  const type = isCss(path) ? "text/css" : "text/html";
  const { text, read, toBytes } = textForm(readFileSync(files.get(path)!.source), { type, charset: null });
  const own = `${root}/${encodedPath(path)}`;
  const { base, places } = isCss(path) ? { base: null, places: cssPlaces(text) } : htmlPlaces(text);
  const from = URL.canParse(base ?? "", own) ? new URL(base ?? "", own).href : own;
  // The base itself is relative to the document.
  const targetFrom = ({ url, as }: Reference) => targetOf(read(url), as === "base" ? own : from, files);
  return { path, text, places, toBytes, targetOf: targetFrom };
}

function targetOf(reference: string, base: string, files: ImportedPage["files"]): Target {
  if (reference.startsWith("#") || !URL.canParse(reference, base)) return null;
  const { protocol, origin, pathname, search, hash, href } = new URL(reference, base);
  if (protocol !== "http:" && protocol !== "https:") return null;
  if (origin !== root) return { outside: href };
  const path = decodedPath(pathname.slice(1));
  // A folder's URL means its start file.
  const isFolder = path === "" || path.endsWith("/");
  const index = isFolder ? `${path}${startFile}` : `${path}/${startFile}`;
  const isIndex = !files.has(path) && files.has(index);
  return { path: isIndex ? index : path, suffix: search + hash, asItStands: isFolder || !isIndex };
}

/** Unchanged where the escapes are not UTF-8. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
