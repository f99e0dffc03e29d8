/** Changes of parts of a text. */
import type { MarkupElement, Span } from "./markup.ts";

/** A part of the text, and what replaces it. */
export interface TextChange extends Span {
  to: string;
}

/** @param changes in any order; one that overlaps an earlier part of the text is left out, as attributes of a removed element are */
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

/** Adds an attribute directly after the tag's name. It is quoted even if it is empty, because XHTML requires it. */
export function addedAttribute(text: string, { tag }: MarkupElement, name: string, value = ""): TextChange {
  const [start = ""] = /^<[^\s/>]+/.exec(text.slice(tag.start, tag.end)) ?? [];
  const at = tag.start + start.length;
  return { start: at, end: at, to: ` ${name}="${escapedValue(value)}"` };
}

export const escapedValue = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
