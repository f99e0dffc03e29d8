import { counted } from "../../../schema/words.ts";
import { asItIs } from "../../../sites/edits/edited-page.ts";
import { redirected, withoutRedirects } from "../../../sites/edits/redirects.ts";
import { usedFiles } from "../../../sites/edits/used-files.ts";
import type { ChangeKind } from "../change.ts";

export const change: ChangeKind = {
  name: "redirects",
  title: "recorded pages: no redirects on the way to the page, nor to files that its HTML and style sheets name",
  changesOf({ seen }) {
    if (!seen) return [];
    const { page, document } = seen;
    const named = usedFiles(asItIs(page, document)).map(({ original }) => original);
    const all = new Set([...page.redirects, ...named.filter((file) => redirected(page, file) !== null)]);
    if (all.size === 0) return [];
    return [
      {
        name: "without-redirects",
        title: `link to the ${all.size > 1 ? "targets" : "target"} of ${counted(all.size, "redirect")}`,
        edit: withoutRedirects,
        takesAway: (path) => page.targetOf(path) !== null,
      },
    ];
  },
};
