import { inlined } from "../../../sites/edits/inlined.ts";
import { requestedBy } from "../../../sites/edits/requested-by.ts";
import type { ChangeKind } from "../change.ts";

const mostFiles = 3;

export const change: ChangeKind = {
  name: "inline-style",
  title: "a style sheet inside of the HTML",
  changesOf({ seen }) {
    if (!seen) return [];
    return requestedBy(seen.page, seen.document)
      .filter(({ as, from, blocking }) => as === "style" && from === "markup" && blocking)
      .slice(0, mostFiles)
      .map(({ path }) => ({
        name: `inline:${path}`,
        title: `put ${path} into the HTML`,
        edit: inlined(path),
        takesAway: (other) => other === path,
      }));
  },
};
