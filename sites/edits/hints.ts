/** Removes preload, modulepreload and prefetch links. A browser warns about a preloaded file that nothing else uses. */
import type { Edit } from "./edited-page.ts";
import { readMarkup } from "./markup.ts";
import { documentPlaces } from "./references.ts";
import { changed, type TextChange } from "./text-changes.ts";
import { withoutUnused } from "./used-files.ts";
import { isHint } from "./uses.ts";

/** Removes only links to these files. A link that also offers other files (imagesrcset) stays. @param paths original paths in the page */
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
