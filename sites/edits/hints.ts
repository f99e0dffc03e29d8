/** Removes links that make a browser request files early. If nothing else requested the file, the browser would warn. */
import type { Edit } from "./edited-page.ts";
import { readMarkup } from "./markup.ts";
import { documentPlaces } from "./references.ts";
import { changed, type TextChange } from "./text-changes.ts";
import { withoutUnused } from "./used-files.ts";
import { isHint } from "./uses.ts";

/** Links for these files alone; one that offers other files too (imagesrcset) stays. @param paths original paths in the page */
export function withoutHints(paths: ReadonlySet<string>): Edit {
  return (before) => {
    const markup = readMarkup(before.html);
    const places = documentPlaces(before, markup).filter(({ element }) => isHint(element));
    const others = new Set(
      places.flatMap(({ element, files }) =>
        files.every((file) => file && paths.has(file.original)) ? [] : [element],
      ),
    );
    const changes = places
      .filter(({ element }) => !others.has(element))
      .map(({ element }): TextChange => ({ ...element.tag, to: "" }));
    if (changes.length === 0) return null;
    return withoutUnused({ ...before, html: markup.toBytes(changed(markup.text, changes)) });
  };
}
