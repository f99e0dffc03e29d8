import type { Edit, EditedPage } from "./edited-page.ts";
import { type Markup, type MarkupElement, readMarkup, type Span } from "./markup.ts";

export interface TextChange extends Span {
  to: string;
}

/** Makes an edit that replaces parts of the document's text. */
export const textEdit =
  (changesOf: (before: EditedPage, markup: Markup) => readonly TextChange[]): Edit =>
  (before) => {
    const markup = readMarkup(before.html);
    const changes = changesOf(before, markup);
    return changes.length ? { ...before, html: markup.toBytes(changed(markup.text, changes)) } : null;
  };

/** @param changes in any order. If changes overlap, only the first in the text is made, so attributes of a removed tag do not change. */
export function changed(text: string, changes: readonly TextChange[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, to } of changes.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    parts.push(text.slice(from, start), to);
    from = end;
  }
  return [...parts, text.slice(from)].join("");
}

/** Adds an attribute directly after the tag's name. Even an empty value is written, because XHTML requires it. */
export function addedAttribute(text: string, { tag }: MarkupElement, name: string, value = ""): TextChange {
  const [start = ""] = /^<[^\s/>]+/.exec(text.slice(tag.start, tag.end)) ?? [];
  const at = tag.start + start.length;
  return { start: at, end: at, to: ` ${name}="${escapedValue(value)}"` };
}

export const escapedValue = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
