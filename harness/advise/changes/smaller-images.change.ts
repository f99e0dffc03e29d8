import { counted } from "../../../schema/words.ts";
import { halfShows, halved } from "../../../sites/edits/halved.ts";
import { requestedBy } from "../../../sites/edits/requested-by.ts";
import { printedBytes } from "../../gate/measures.ts";
import type { ChangeKind } from "../change.ts";

/** Images with fewer bytes are not tried: they fit into about two full segments, so halving them saves almost nothing. */
const leastBytes = 3000;
const mostFiles = 4;

export const change: ChangeKind = {
  name: "smaller-images",
  title: "one image, or all images, with half of the bytes",
  changesOf({ seen, metric }) {
    if (!seen) return [];
    // Browsers do not paint half of a WebP, so its paint time would be wrong. WebPs are halved only if the metric is the page load time.
    const counts = (path: string) => {
      const content = seen.page.contentOf(path);
      const shows = content && halfShows(content);
      return shows === "first part" || (shows === "nothing" && metric === "pageLoad");
    };
    const sent = new Map(seen.requests.map(({ path, bytes }) => [path, bytes]));
    const images = requestedBy(seen.page, seen.document)
      .flatMap(({ path, as }) => {
        const bytes = sent.get(path) ?? 0;
        return as === "image" && bytes >= leastBytes && counts(path) ? [{ path, bytes }] : [];
      })
      .sort((a, b) => b.bytes - a.bytes);
    const single = images.slice(0, mostFiles).map(({ path, bytes }) => ({
      name: `half:${path}`,
      title: `halve the bytes of ${path} (${printedBytes(bytes)})`,
      edit: halved([path]),
      looksDifferent: true as const,
    }));
    if (images.length < 2) return single;
    const bytes = images.reduce((sum, image) => sum + image.bytes, 0);
    const all = {
      name: "half-images",
      title: `halve the bytes of all ${counted(images.length, "image")} (${printedBytes(bytes)})`,
      edit: halved(images.map(({ path }) => path)),
      looksDifferent: true as const,
    };
    return [...single, all];
  },
};
