/** Finds the resources that an imported page's HTML and CSS reference. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { parsedUrl } from "../../schema/parsed-url.ts";
import { encodedPath, startFile, unescaped } from "../paths.ts";
import { cssPlaces } from "./css-references.ts";
import { htmlPlaces } from "./html-references.ts";
import type { ImportedPage } from "./imported-page.ts";
import type { Place, Reference } from "./place.ts";
import { textForm } from "./text-encoding.ts";

/** A reference's target. `path` need not exist. `asItStands` is false for a folder without a final "/", for which servers redirect or send 404. */
export type Target = { path: string; suffix: string; asItStands: boolean } | { outside: string } | null;

/** An HTML or CSS file of the page. */
export interface Text {
  path: string;
  text: string;
  places: Place[];
  toBytes(text: string): Buffer;
  /** @returns null for references that cause no request, such as data: URLs and fragments */
  targetOf(reference: Reference): Target;
}

/** A referenced path, and how the first reference uses it. If this use is "unasked", the use of a later reference replaces it. */
export interface Resource {
  path: string;
  as: Reference["as"];
}

export interface Resources {
  /** Every HTML and CSS file of the folder. */
  texts: Text[];
  /** The requested resources; the start file is the first. */
  found: Resource[];
  /** URLs of other origins, without repetitions. */
  outside: string[];
}

const resources: readonly Reference["as"][] = ["object", "unasked", "document"];
/** @param before how an earlier reference uses the path */
const isRequested = (as: Reference["as"], before: Reference["as"] | undefined): boolean =>
  resources.includes(as) && (before === undefined || (before === "unasked" && as !== "unasked"));

/** A placeholder for the page's folder while relative URLs are resolved. */
const root = "https://page.invalid";
const isHtml = (path: string) => [".html", ".htm", ".xhtml"].includes(extname(path).toLowerCase());
const isCss = (path: string) => extname(path).toLowerCase() === ".css";

/** Finds resources breadth-first from the start file. Browsers find them in another order. */
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
  const own = `${root}/${encodedPath(path)}`;
  const text = textIn(readFileSync(files.get(path)!.source), type, own, (url, base) => targetOf(url, base, files));
  return { path, ...text };
}

/** @param own the URL of the text itself */
export function textIn(
  content: Buffer,
  type: "text/html" | "text/css",
  own: string,
  targetOf: (reference: string, base: string) => Target,
): Omit<Text, "path"> {
  const { text, url: requested, toBytes } = textForm(content, { type, charset: null });
  const { base, places } = type === "text/css" ? { base: null, places: cssPlaces(text) } : htmlPlaces(text);
  const from = parsedUrl(base ?? "", own)?.href ?? own;
  // The URL of the base element itself is relative to the document.
  return { text, places, toBytes, targetOf: ({ url, as }) => targetOf(requested(url), as === "base" ? own : from) };
}

function targetOf(reference: string, base: string, files: ImportedPage["files"]): Target {
  const url = reference.startsWith("#") ? null : parsedUrl(reference, base);
  if (!url) return null;
  const { protocol, origin, pathname, search, hash, href } = url;
  if (protocol !== "http:" && protocol !== "https:") return null;
  if (origin !== root) return { outside: href };
  const path = unescaped(pathname.slice(1));
  const isFolder = path === "" || path.endsWith("/");
  const index = isFolder ? `${path}${startFile}` : `${path}/${startFile}`;
  const isIndex = !files.has(path) && files.has(index);
  return { path: isIndex ? index : path, suffix: search + hash, asItStands: isFolder || !isIndex };
}
