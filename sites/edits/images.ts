import type { EditedPage } from "./edited-page.ts";
import type { Markup, MarkupElement } from "./markup.ts";
import { documentPlaces } from "./references.ts";

/** @returns each img element with its candidates' original paths, including candidates in `source` elements of a `picture` around the img */
export function imagesOf(before: EditedPage, markup: Markup): { element: MarkupElement; paths: string[] }[] {
  const byElement = new Map<MarkupElement, string[]>();
  for (const { element, attribute, files } of documentPlaces(before, markup))
    if (attribute === "src" || attribute === "srcset")
      byElement.set(element, [
        ...(byElement.get(element) ?? []),
        ...files.flatMap((file) => (file ? [file.original] : [])),
      ]);
  const sources = (picture: MarkupElement) =>
    [...byElement].flatMap(([{ name, parent }, paths]) => (name === "source" && parent === picture ? paths : []));
  return markup.elements
    .filter(({ name }) => name === "img")
    .map((element) => ({
      element,
      paths: [
        ...(byElement.get(element) ?? []),
        ...(element.parent?.name === "picture" ? sources(element.parent) : []),
      ],
    }));
}
