import type { EditablePage } from "./editable-page.ts";
import type { Edit, EditedPage } from "./edited-page.ts";
import { rewriteReferences } from "./rewrite-references.ts";

/** Returns the final target of a redirect; null if `file` is not a redirect, or if its target was not recorded. */
export function redirected(page: EditablePage, file: string): string | null {
  const seen = new Set<string>();
  let at: string | null = file;
  while (at !== null && !page.has(at) && !seen.has(at)) {
    seen.add(at);
    at = page.targetOf(at);
  }
  return at !== file && at !== null && page.has(at) ? at : null;
}

/** Starts a load at the document. HTML and CSS then reference the targets of redirects; scripts still request the redirects. */
export const withoutRedirects: Edit = (before) => {
  const { page } = before;
  const straight: EditedPage = page.redirects.length && !before.isStraight ? { ...before, isStraight: true } : before;
  const after = rewriteReferences(straight, ({ original, suffix }) => {
    const target = redirected(page, original);
    return target === null ? null : page.urlOf(target) + suffix;
  });
  return after ?? (straight === before ? null : straight);
};
