import type { Edit } from "./edited-page.ts";
import { imagesOf } from "./images.ts";
import { addedAttribute, textEdit } from "./text-changes.ts";

/** Adds loading=lazy to images that request a file of the page and lack the attribute, unless one of an image's candidates is in `except`. */
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
