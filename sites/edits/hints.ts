/** Removes preload, modulepreload and prefetch links, because a browser warns about a preloaded file that nothing else uses. */
import type { Edit } from "./edited-page.ts";
import { documentPlaces } from "./references.ts";
import { type TextChange, textEdit } from "./text-changes.ts";
import { withoutUnused } from "./used-files.ts";
import { isHint } from "./uses.ts";

/** Removes only links to these files. A link that also offers other files (imagesrcset) stays. @param paths the files' original paths */
export function withoutHints(paths: ReadonlySet<string>): Edit {
  const removed = textEdit((before, markup) => {
    const places = documentPlaces(before, markup).filter(({ element }) => isHint(element));
    const others = new Set(
      places.flatMap(({ element, files }) =>
        files.every((file) => file && paths.has(file.original)) ? [] : [element],
      ),
    );
    return places
      .filter(({ element }) => !others.has(element))
      .map(({ element }): TextChange => ({ ...element.tag, to: "" }));
  });
  return (before) => {
    const after = removed(before);
    return after && withoutUnused(after);
  };
}
