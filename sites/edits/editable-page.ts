/** The interface through which edits read a page. This file implements it for a folder, editable-recording.ts for a recording. */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { lookup } from "mrmime";
import { sha256 } from "../../schema/sha256.ts";
import type { ImportedPage } from "../imported/imported-page.ts";
import { findResources, type Text } from "../imported/resources.ts";
import { importedFile, importedPath } from "../paths.ts";

/** In a folder, a file's name is its path ("css/style.css"); in a recording, its URL without the scheme ("cdn.shop.test/style.css?v=2"). */
export interface EditablePage {
  /** The unedited page, whose files are on disk. */
  source: ImportedPage;
  /** The redirects that a load follows before it reaches the document, in order. */
  redirects: readonly string[];
  /** The file that a recorded redirect points to; null if `file` is not a redirect. */
  targetOf(file: string): string | null;
  has(file: string): boolean;
  /** Returns the content after decoding its content coding; null if there is no such file, or if the content cannot be decoded. */
  contentOf(file: string): Buffer | null;
  /** @returns undefined for a file that is neither HTML nor CSS */
  textOf(file: string): Text | undefined;
  isStyleSheet(file: string): boolean;
  /** Returns the media type without parameters, such as "image/png"; "" if the type is unknown. */
  typeOf(file: string): string;
  /** Returns a URL that refers to the file from any file of the page. */
  urlOf(file: string): string;
  /** Names an edited copy. The copy is in the original's folder, so relative references still resolve. Equal contents get equal names. */
  copyOf(original: string, content: Buffer): string;
}

export function editableFolder(page: ImportedPage): EditablePage {
  let texts: ReadonlyMap<string, Text> | undefined;
  const contentOf = (file: string) => {
    const found = page.files.get(file);
    return found ? readFileSync(found.source) : null;
  };
  return {
    ...{ source: page, redirects: [], contentOf, targetOf: () => null },
    has: (file) => page.files.has(file),
    textOf(file) {
      texts ??= new Map(findResources(page).texts.map((text) => [text.path, text]));
      return texts.get(file);
    },
    isStyleSheet: (file) => posix.extname(file).toLowerCase() === ".css",
    typeOf: (file) => lookup(file) ?? "",
    urlOf: importedPath,
    copyOf: nameOfCopy,
  };
}

const hashLength = 8;

/** Adds a hash of the content to a file's name: "css/style.css" becomes "css/style.3fa9c1d2.css". */
export function nameOfCopy(path: string, content: Buffer): string {
  const hash = sha256(content).slice(0, hashLength);
  const at = path.lastIndexOf("/") + 1;
  const ending = posix.extname(path.slice(at));
  const name = path.slice(at, path.length - ending.length);
  return `${path.slice(0, at)}${name}${name && "."}${hash}${ending}`;
}

/** Returns the name of a requested file. @param path the request's path, as in a record */
export const requestedFile = (path: string): string => (path.startsWith("//") ? path.slice(2) : importedFile(path));
