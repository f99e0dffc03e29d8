/** What a document makes a browser request: the files from which callers choose what to edit. */
import type { EditablePage } from "./editable-page.ts";
import { asItIs } from "./edited-page.ts";
import { isLoaded, isParserBlocking, isRenderBlocking } from "./loading.ts";
import { type UsedFile, usedFiles } from "./used-files.ts";
import { isHint, isStyleLink, type Use } from "./uses.ts";

export type { Use };

export interface RequestedFile {
  path: string;
  /** How it is used. A link that only requests it early counts if nothing else uses it. */
  as: Use;
  /** "style" is CSS: a style sheet, a style element or a style attribute. */
  from: "markup" | "style";
  /**
   * Whether it is a classic script in the head without async and defer, or a link to a style sheet for screens. What a style sheet
   * imports does not count.
   */
  blocking: boolean;
}

/**
 * The existing files that the document requests without scripts, in document order, each once. A browser requests fewer of them:
 * one candidate of a srcset, and only those fonts and background images of a style sheet that it shows.
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
