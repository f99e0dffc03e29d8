import type { EditablePage } from "./editable-page.ts";
import { asItIs } from "./edited-page.ts";
import { isLoaded, isParserBlocking, isRenderBlocking } from "./loading.ts";
import { type UsedFile, usedFiles } from "./used-files.ts";
import { isHint, isStyleLink, type Use } from "./uses.ts";

export type { Use };

export interface RequestedFile {
  path: string;
  /** How the file is used. The use that a preload or prefetch link declares counts only if nothing else uses the file. */
  as: Use;
  /** Where the reference is. "style" is CSS: a style sheet, a style element or a style attribute. */
  from: "markup" | "style";
  /** Whether it is a classic script in the head without async and defer, or a linked (not imported) style sheet for screens. */
  blocking: boolean;
}

/**
 * Lists the existing files that the document requests without scripts, in document order, each once. A browser may request fewer files: only
 * one candidate of a srcset, and only those fonts and background images that it shows.
 * @throws LabError (usage) if the page has no such HTML file
 */
export function requestedBy(page: EditablePage, document: string): RequestedFile[] {
  const uses = new Map<string, UsedFile[]>();
  const isFollowed = ({ isShown, element }: UsedFile) => isShown && (element === null || isLoaded(element));
  for (const used of usedFiles(asItIs(page, document), isFollowed))
    if (page.has(used.original)) uses.set(used.original, [...(uses.get(used.original) ?? []), used]);
  return [...uses].flatMap(([path, [first, ...others]]) => {
    if (!first) return [];
    const { use, attribute } = [first, ...others].find(({ element }) => !element || !isHint(element)) ?? first;
    const from = attribute === null || attribute === "style" ? "style" : "markup";
    return [{ path, as: use, from, blocking: [first, ...others].some(isBlocking) }];
  });
}

function isBlocking({ element, attribute }: UsedFile): boolean {
  if (!element || attribute === null) return false;
  return isStyleLink(element) ? isRenderBlocking(element) : element.isInHead && isParserBlocking(element);
}
