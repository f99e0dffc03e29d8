import { posix } from "node:path";
import type { EditedPage } from "./edited-page.ts";
import type { Markup } from "./markup.ts";
import { readStyleSheet } from "./references.ts";
import { changed } from "./text-changes.ts";

/** Returns a style sheet's text for a style element; null if the file is missing, or if its text would end or break the style element. */
export function styleText(before: EditedPage, markup: Markup, path: string): string | null {
  const sheet = readStyleSheet(before, path);
  if (!sheet) return null;
  // Relative URLs would resolve from the document, so they become absolute.
  const changes = sheet.places.map(({ start, end, urls, files, write }) => {
    const to = files.map((file, i) => (file ? before.page.urlOf(file.now) + file.suffix : (urls[i] ?? "")));
    return { start, end, to: files.some((file) => file) ? write(to) : sheet.text.slice(start, end) };
  });
  const css = sheet.read(changed(sheet.text, changes)).replace(/^\ufeff?(@charset "[^"]*";)?/, "");
  const isXhtml = posix.extname(before.document).toLowerCase() === ".xhtml";
  if ((isXhtml ? /[<&]/ : /<\/style/i).test(css)) return null;
  return isUnicode(markup) ? css : escapedCss(css);
}

const isUnicode = ({ toBytes }: Markup) => toBytes("é").length > 1;

/** Escapes all characters that are not ASCII, because the document's encoding may lack them. */
const escapedCss = (css: string): string =>
  css.replace(/\\[\0-\x7f]|\\?([^\0-\x7f])/gu, (all, character?: string) =>
    character === undefined ? all : `\\${character.codePointAt(0)?.toString(16)} `,
  );
