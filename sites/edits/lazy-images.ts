/** The edit that makes a browser request images only when they come near the visible part of the page. */
import type { Edit } from "./edited-page.ts";
import { imagesOf } from "./images.ts";
import { addedAttribute, textEdit } from "./text-changes.ts";

/**
 * Adds loading=lazy to each image that requests a file of the page and has no loading attribute.
 * @param except paths of images that are not delayed; an image is unchanged if one of its candidates is among these paths
 */
export function lazyImages(except: Iterable<string>): Edit {
  const all = new Set(except);
  return textEdit((before, markup) =>
    imagesOf(before, markup)
      .filter(
        ({ element, paths }) =>
          paths.length > 0 && !element.values.has("loading") && !paths.some((path) => all.has(path)),
      )
      .map(({ element }) => addedAttribute(markup.text, element, "loading", "lazy")),
  );
}
