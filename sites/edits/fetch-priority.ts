import type { Edit } from "./edited-page.ts";
import { imagesOf } from "./images.ts";
import { addedAttribute, textEdit } from "./text-changes.ts";

/** Adds fetchpriority=high to images that lack the attribute. A lazy image stays lazy. @param path the image's path in the page */
export const fetchPriority = (path: string): Edit =>
  textEdit((before, markup) =>
    imagesOf(before, markup)
      .filter(({ element, paths }) => paths.includes(path) && !element.values.has("fetchpriority"))
      .map(({ element }) => addedAttribute(markup.text, element, "fetchpriority", "high")),
  );
