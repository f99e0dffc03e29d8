/** The edit that makes a browser request an image with high priority. */
import type { Edit } from "./edited-page.ts";
import { imagesOf } from "./images.ts";
import { readMarkup } from "./markup.ts";
import { addedAttribute, changed } from "./text-changes.ts";

/** Adds fetchpriority=high to images that lack the attribute. A lazy image stays lazy. @param path of the image in the page */
export function fetchPriority(path: string): Edit {
  return (before) => {
    const markup = readMarkup(before.html);
    const changes = imagesOf(before, markup)
      .filter(({ element, paths }) => paths.includes(path) && !element.values.has("fetchpriority"))
      .map(({ element }) => addedAttribute(markup.text, element, "fetchpriority", "high"));
    return changes.length ? { ...before, html: markup.toBytes(changed(markup.text, changes)) } : null;
  };
}
