import { contentOf, type Edit, type EditedPage, originalOf } from "./edited-page.ts";
import { type FileReference, readStyleSheet } from "./references.ts";
import { rewriteReferences } from "./rewrite-references.ts";
import { changed } from "./text-changes.ts";
import { usedFiles } from "./used-files.ts";

export const hostIn = (file: string): string => file.split("/")[0]!;

/** Moves a recorded page's files from these hosts to the document's host. Scripts and frames still request files from the recorded hosts. */
export function fromOwnHost(hosts: Iterable<string>): Edit {
  const others = new Set(hosts);
  return (before) => {
    const { page, document } = before;
    const placeOf = (file: string) => `${hostIn(document)}/${file}`;
    const isMoved = ({ now, original }: FileReference) => others.has(hostIn(now)) && page.has(original);
    const newUrl = (file: FileReference) => (isMoved(file) ? page.urlOf(placeOf(file.now)) + file.suffix : null);
    const moved = usedFiles(before).filter(isMoved);
    const after = rewriteReferences(before, newUrl);
    if (!after) return null;
    const copies = moved.map(({ now }) => [now, placeOf(now)] as const);
    const contents = copies.map(([now, copy]) => [copy, movedContent(before, now, newUrl)] as const);
    const originals = copies.map(([now, copy]) => [copy, originalOf(before, now)] as const);
    return {
      ...after,
      added: new Map([...after.added, ...contents]),
      originals: new Map([...after.originals, ...originals]),
    };
  };
}

/** Returns a moved file's content. A style sheet's references become absolute, because relative ones would refer to files of the new host. */
function movedContent(before: EditedPage, file: string, newUrl: (file: FileReference) => string | null): Buffer {
  const sheet = readStyleSheet(before, file);
  if (!sheet) return contentOf(before, file)!;
  const changes = sheet.places.map(({ start, end, urls, files, write }) => ({
    ...{ start, end },
    to: write(
      files.map((one, i) => (one ? (newUrl(one) ?? before.page.urlOf(one.now) + one.suffix) : (urls[i] ?? ""))),
    ),
  }));
  return sheet.toBytes(changed(sheet.text, changes));
}
