import type { EditedPage } from "./edited-page.ts";
import { type MarkupElement, readMarkup } from "./markup.ts";
import { documentPlaces, type FileReference, readStyleSheet } from "./references.ts";

export interface UsedFile extends FileReference {
  /** The element whose attribute or text has the reference; null if the reference is in a style sheet file. */
  element: MarkupElement | null;
  /** The attribute with the reference; null in a style element or style sheet file. */
  attribute: string | null;
}

/** Lists the references for which `isFollowed` is true, in document order. A style sheet's references follow the first reference to that sheet. */
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

/** Leaves out added files that nothing uses any more, such as the former copy of a style sheet that was edited again. */
export function withoutUnused(page: EditedPage): EditedPage {
  const used = new Set(usedFiles(page).map(({ now }) => now));
  return {
    ...page,
    added: new Map([...page.added].filter(([path]) => used.has(path))),
    originals: new Map([...page.originals].filter(([path]) => used.has(path))),
  };
}
