/** Finds the element that declares a document's encoding. Browsers read this declaration only in the document's first 1024 bytes. */
import type { Markup, MarkupElement, Span } from "./markup.ts";

const mostDeclaringBytes = 1024;

const isDeclaration = ({ name, values }: MarkupElement): boolean =>
  name === "meta" &&
  (values.has("charset") ||
    (values.get("http-equiv")?.toLowerCase() === "content-type" && /charset/i.test(values.get("content") ?? "")));

/** @returns the tag of the declaration; null if the head has no declaration that browsers read */
export function encodingDeclaration({ text, elements, toBytes }: Markup): Span | null {
  const found = elements.find((element) => element.isInHead && !element.isInTemplate && isDeclaration(element));
  return found && toBytes(text.slice(0, found.tag.end)).length <= mostDeclaringBytes ? found.tag : null;
}
