/** An imported page with one edited HTML document. Edits are functions without effects, so that each can be measured alone and with others. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { usageError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import type { ImportedPage } from "../imported/imported-page.ts";
import { findResources, type Text } from "../imported/resources.ts";

/** The HTML that is loaded, and files that an edit adds. The page's other files stay. */
export interface EditedPage {
  /** The unedited page, whose files are on disk. */
  page: ImportedPage;
  /** The path of the HTML file in the page. */
  document: string;
  /** The HTML file's edited content, in its own encoding. */
  html: Buffer;
  /** New files by path: edited copies, each in its original's folder so that relative references hold ("css/style.3fa9c1d2.css"). */
  added: ReadonlyMap<string, Buffer>;
  /** The path of each added file -> the path of the page's file that it is a copy of. Edits name files by their original paths. */
  originals: ReadonlyMap<string, string>;
}

/** @returns null if the edit changes nothing in this document (any more) */
export type Edit = (before: EditedPage) => EditedPage | null;

/** @throws LabError (usage) if the page has no such HTML file, as recorded pages never have */
export function asItIs(page: ImportedPage, document: string): EditedPage {
  const file = page.files.get(document);
  if (!file || isStyleSheet(document) || !textsOf(page).has(document))
    throw usageError(`${page.name}: ${inOneLine(document)} is not an HTML file of this page`);
  return { page, document, html: readFileSync(file.source), added: new Map(), originals: new Map() };
}

/** Several edits one after another. @returns null if none of them changes anything */
export function inTurn(...edits: readonly Edit[]): Edit {
  return (before) => {
    const after = edits.reduce((page, edit) => edit(page) ?? page, before);
    return after === before ? null : after;
  };
}

/** The page's file that this path means: an added copy's original, or the path itself. */
export const originalOf = ({ originals }: EditedPage, path: string): string => originals.get(path) ?? path;

/** Whether the lab reads and rewrites this file as a style sheet, as imported/resources.ts does. */
export const isStyleSheet = (path: string): boolean => posix.extname(path).toLowerCase() === ".css";

/** @returns null if there is no such file */
export function contentOf({ page, added }: EditedPage, path: string): Buffer | null {
  const file = page.files.get(path);
  return added.get(path) ?? (file ? readFileSync(file.source) : null);
}

const hashLength = 8;

/** The path for an edited copy. The same content always has the same name. */
export function pathOfCopy(original: string, content: Buffer): string {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, hashLength);
  const { dir, name, ext } = posix.parse(original);
  return posix.join(dir, `${name}.${hash}${ext}`);
}

const textsOfPages = new WeakMap<ImportedPage, ReadonlyMap<string, Text>>();

/** The page's HTML and CSS files by path, unedited. They are kept, because each edit resolves references with them. */
export function textsOf(page: ImportedPage): ReadonlyMap<string, Text> {
  const known = textsOfPages.get(page);
  if (known) return known;
  const texts = new Map(findResources(page).texts.map((text) => [text.path, text]));
  textsOfPages.set(page, texts);
  return texts;
}
