/** Reads the references in an edited page's document and in the style sheets that the document uses. */
import { cssPlaces } from "../imported/css-references.ts";
import { htmlPlaces } from "../imported/html-references.ts";
import type { Place, Reference } from "../imported/place.ts";
import { textForm } from "../imported/text-encoding.ts";
import { contentOf, type EditedPage, originalOf } from "./edited-page.ts";
import type { Markup, MarkupElement, Span } from "./markup.ts";
import { type Use, useOf, usesInCss } from "./uses.ts";

/** A reference to a file of the page. The file may be missing. */
export interface FileReference {
  /** The requested file: a file of the page or an added file. */
  now: string;
  /** The page's file: the original of `now` if `now` is an added copy, otherwise `now` itself. */
  original: string;
  /** The reference's query and fragment. */
  suffix: string;
  use: Use;
  /** Whether a browser may request the file to show the page. False for icons, for example. */
  isShown: boolean;
}

/** A part of a text that contains references. */
export interface ReferencePlace extends Span {
  /** The references as they are in the text. */
  urls: string[];
  /** The file of each URL; null for data: URLs and fragments, and for other hosts' files if the page is a folder. */
  files: (FileReference | null)[];
  /** Writes the place's new text. @param urls a new URL for each reference */
  write(urls: string[]): string;
}

export interface DocumentPlace extends ReferencePlace {
  element: MarkupElement;
  /** The attribute's name; null for a style element's text. */
  attribute: string | null;
}

export function documentPlaces(before: EditedPage, { text, elements }: Markup): DocumentPlace[] {
  const places = new Map(htmlPlaces(text).places.map((place) => [place.start, place]));
  return elements
    .flatMap((element) => [...inAttributes(before, element, places), ...inText(before, element, text)])
    .sort((a, b) => a.start - b.start);
}

const inAttributes = (before: EditedPage, element: MarkupElement, places: ReadonlyMap<number, Place>) =>
  [...element.attributes].flatMap(([attribute, { start }]): DocumentPlace[] => {
    const place = places.get(start);
    if (!place?.references.length) return [];
    const use = useOf(element, attribute);
    return [{ ...placeOf(before, before.document, place, use), element, attribute }];
  });

const inText = (before: EditedPage, element: MarkupElement, text: string) =>
  element.name !== "style" && element.name !== "foreign:style"
    ? []
    : element.texts.flatMap(({ start: from, end }) => {
        const css = text.slice(from, end);
        const uses = usesInCss(css);
        return cssPlaces(css).map((place): DocumentPlace => {
          const here = placeOf(before, before.document, place, uses.get(place.start) ?? "image");
          return { ...here, start: place.start + from, end: place.end + from, element, attribute: null };
        });
      });

export interface StyleSheet {
  text: string;
  places: ReferencePlace[];
  toBytes(edited: string): Buffer;
  /** Decodes a part of `text` as browsers do. Decoding is needed because each character of `text` may stand for one byte. */
  read(part: string): string;
}

/** @param path a style sheet of the page, or an edited copy of a style sheet @returns null if the file is missing or not a style sheet */
export function readStyleSheet(before: EditedPage, path: string): StyleSheet | null {
  const content = before.page.isStyleSheet(originalOf(before, path)) ? contentOf(before, path) : null;
  if (!content) return null;
  const { text, read, toBytes } = textForm(content, { type: "text/css", charset: null });
  const uses = usesInCss(text);
  const places = cssPlaces(text).map((place) =>
    placeOf(before, originalOf(before, path), place, uses.get(place.start) ?? "image"),
  );
  return { text, places, read, toBytes };
}

/** @param original the original of the file that contains the place. A copy is in the same folder, so original and copy have the same base URL */
function placeOf(before: EditedPage, original: string, place: Place, use: Use): ReferencePlace {
  const source = before.page.textOf(original);
  const files = place.references.map((reference): FileReference | null => {
    const target = isRequested(reference) ? source?.targetOf(reference) : null;
    if (!target || "outside" in target) return null;
    const { path, suffix } = target;
    const isShown = reference.as !== "unasked";
    return { now: path, original: originalOf(before, path), suffix, use, isShown };
  });
  const { start, end, write } = place;
  return { start, end, urls: place.references.map(({ url }) => url), files, write };
}

/** An empty URL requests nothing, although it resolves to the file that contains it. */
const isRequested = ({ url, as }: Reference) => url.trim() !== "" && as !== "base" && as !== "connection";
