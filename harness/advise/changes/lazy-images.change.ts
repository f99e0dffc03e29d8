import { lazyImages } from "../../../sites/edits/lazy-images.ts";
import { requestedBy } from "../../../sites/edits/requested-by.ts";
import { defineChange } from "../change.ts";

export const change = defineChange({
  name: "lazy-images",
  title: "images that wait until they are near the screen",
  changesOf({ seen }) {
    if (!seen) return [];
    const { page, document, largestImage } = seen;
    const images = new Set(requestedBy(page, document).flatMap(({ path, as }) => (as === "image" ? [path] : [])));
    if (largestImage !== null) images.delete(largestImage);
    return [
      {
        name: "lazy-images",
        title: `load images with loading=lazy, for which the load event does not wait${largestImage === null ? "" : `, except ${largestImage}`}`,
        edit: lazyImages(largestImage === null ? [] : [largestImage]),
        // An image below the screen is requested only when someone scrolls.
        takesAway: (path) => images.has(path),
      },
    ];
  },
});
