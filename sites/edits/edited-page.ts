/** A page with one edited HTML document. Edits are pure functions, so each can be measured alone and combined with others. */
import { usageError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import type { EditablePage } from "./editable-page.ts";

/** The HTML document that is loaded, and the files that edits add. The page's other files are unchanged. */
export interface EditedPage {
  page: EditablePage;
  /** The HTML file's name in the page. */
  document: string;
  /** The HTML file's edited content, in its own encoding. */
  html: Buffer;
  /** Added files by name. They are copies of the page's files, and most copies are edited. */
  added: ReadonlyMap<string, Buffer>;
  /** Maps each added file to its original, the page's file that was copied. Edits call a copy by the name of its original. */
  originals: ReadonlyMap<string, string>;
  /** Set if a load begins at the document itself, and not at a redirect to the document. */
  isStraight?: true;
}

/** @returns null if the edit changes nothing, for example because the document already has this edit */
export type Edit = (before: EditedPage) => EditedPage | null;

/** @throws LabError (usage) if the page has no such HTML file */
export function asItIs(page: EditablePage, document: string): EditedPage {
  const html = page.textOf(document) && !page.isStyleSheet(document) ? page.contentOf(document) : null;
  if (!html) throw usageError(`${page.source.name}: ${inOneLine(document)} is not an HTML file of this page`);
  return { page, document, html, added: new Map(), originals: new Map() };
}

export function inTurn(...edits: readonly Edit[]): Edit {
  return (before) => {
    const after = edits.reduce((page, edit) => edit(page) ?? page, before);
    return after === before ? null : after;
  };
}

export const originalOf = ({ originals }: EditedPage, file: string): string => originals.get(file) ?? file;

export const contentOf = ({ page, added }: EditedPage, file: string): Buffer | null =>
  added.get(file) ?? page.contentOf(file);

/** Lists the copies in the order in which a load requests them: copies of the redirects to the document, then the edited document. */
export function documentCopies({ page, document, html, isStraight }: EditedPage): { copy: string; original: string }[] {
  const requested = [...(isStraight ? [] : page.redirects), document];
  return requested.map((original) => ({ copy: page.copyOf(original, html), original }));
}

/** Returns the file at which a load of the edited page begins, as a value of the axis `document`. */
export const documentOf = (edited: EditedPage): string => documentCopies(edited)[0]!.copy;
