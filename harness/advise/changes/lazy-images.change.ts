import { counted } from "../../../schema/words.ts";
import { lazyImages } from "../../../sites/edits/lazy-images.ts";
import { requestedBy } from "../../../sites/edits/requested-by.ts";
import type { ChangeKind } from "../change.ts";

export const change: ChangeKind = {
  name: "lazy-images",
  title: "loading=lazy for images outside of the window",
  changesOf({ seen }) {
    if (!seen?.imagesInWindow) return [];
    const { page, document, imagesInWindow, largestImage } = seen;
    const stays = new Set([...imagesInWindow, ...(largestImage === null ? [] : [largestImage])]);
    const all = requestedBy(page, document).filter(({ as, from }) => as === "image" && from === "markup");
    const outside = new Set(all.flatMap(({ path }) => (stays.has(path) ? [] : [path])));
    if (outside.size === 0) return [];
    return [
      {
        name: "lazy-images",
        title: `load ${counted(outside.size, "image")} outside of the window with loading=lazy`,
        edit: lazyImages(stays),
        takesAway: (path) => outside.has(path),
      },
    ];
  },
};
