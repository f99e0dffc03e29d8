/** Replaces parts of a text. */
import type { MarkupElement, Span } from "./markup.ts";

/** A part of the text with its replacement. */
export interface TextChange extends Span {
  to: string;
}

/** @param changes in any order; a change that overlaps an earlier one is left out, such as that of an attribute in a removed tag */
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
