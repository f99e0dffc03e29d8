/** Makes pages in temporary folders, for tests of edits. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { readImportedPage } from "../imported/imported-page.ts";
import { startFile } from "../paths.ts";
import { editableFolder } from "./editable-page.ts";
import { asItIs, type Edit, type EditedPage } from "./edited-page.ts";

const directory = mkdtempSync(join(tmpdir(), "edits-"));
after(() => rmSync(directory, { recursive: true }));
let pages = 0;

export type Files = Readonly<Record<string, string | Buffer>>;

/** @param files the page's files by path, in addition to the start file */
export function pageOf(html: string | Buffer, files: Files = {}, document = startFile): EditedPage {
  const folder = join(directory, String(pages++));
  for (const [path, content] of Object.entries({ [startFile]: html, [document]: html, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return asItIs(editableFolder(readImportedPage("page", folder)), document);
}

/** Returns the page's HTML and added files as texts. To keep expected texts readable, "#" replaces the hash in a copy's name. */
export function shown(page: EditedPage | null): [html: string, added: Record<string, string>] | null {
  if (!page) return null;
  const withoutHash = (text: string) => text.replaceAll(/\.[0-9a-f]{8}(?=\.)/g, ".#");
  const added = [...page.added].map(([path, content]) => [withoutHash(path), withoutHash(content.toString())]);
  return [withoutHash(page.html.toString()), Object.fromEntries(added)];
}

/** Returns a page's HTML after an edit; null if the edit changes nothing. */
export const htmlAfter = (edit: Edit, html: string, files: Files = {}): string | null =>
  shown(edit(pageOf(html, files)))?.[0] ?? null;
