/** The files that an edited document uses, through its style sheets too. */
import type { EditedPage } from "./edited-page.ts";
import { type MarkupElement, readMarkup } from "./markup.ts";
import { documentPlaces, type FileReference, readStyleSheet } from "./references.ts";

export interface UsedFile extends FileReference {
  /** The element whose attribute or text has the reference; null in a style sheet's file. */
  element: MarkupElement | null;
  /** The attribute with the reference; null in CSS. */
  attribute: string | null;
}

/**
 * All references in document order; a style sheet's own come directly after the first reference to it.
 * @param isFollowed whether a reference counts, and the style sheet that it requests is read
 */
export function usedFiles(before: EditedPage, isFollowed: (used: UsedFile) => boolean = () => true): UsedFile[] {
  const found: UsedFile[] = [];
  const read = new Set<string>();
  const add = (used: UsedFile) => {
    if (!isFollowed(used)) return;
    found.push(used);
    if (read.has(used.now)) return;
    read.add(used.now);
    for (const { files } of readStyleSheet(before, used.now)?.places ?? [])
      for (const file of files) if (file) add({ ...file, element: null, attribute: null });
  };
  for (const { files, element, attribute } of documentPlaces(before, readMarkup(before.html)))
    for (const file of files) if (file) add({ ...file, element, attribute });
  return found;
}

/** Leaves out added files that nothing uses any more, as the copy of a style sheet that was edited again. */
export function withoutUnused(page: EditedPage): EditedPage {
  const used = new Set(usedFiles(page).map(({ now }) => now));
  return {
    ...page,
    added: new Map([...page.added].filter(([path]) => used.has(path))),
    originals: new Map([...page.originals].filter(([path]) => used.has(path))),
  };
}
