import { type Edit, inTurn } from "./edited-page.ts";
import { withoutHints } from "./hints.ts";
import { emptyStyleSheet, rewriteReferences } from "./rewrite-references.ts";
import type { Use } from "./uses.ts";

/** A transparent GIF of one pixel: it causes no error event, unlike an empty file. */
const emptyImage = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const emptyScript = "data:text/javascript,";
const emptyFile = "data:,";
const replacements: Record<Use, string> = {
  script: emptyScript,
  module: emptyScript,
  style: emptyStyleSheet,
  image: emptyImage,
  font: emptyFile,
  frame: emptyFile,
  other: emptyFile,
};

/**
 * Stops the document and its style sheets from requesting these files. Only preload and prefetch links are removed; other elements stay,
 * because scripts may look for them. Files that scripts, frames and other documents request are still requested.
 */
export function without(paths: Iterable<string>): Edit {
  const all = new Set(paths);
  return inTurn(withoutHints(all), (before) =>
    rewriteReferences(before, ({ original, use }) => (all.has(original) ? replacements[use] : null)),
  );
}
