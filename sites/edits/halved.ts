import type { Edit } from "./edited-page.ts";
import { rewriteReferences } from "./rewrite-references.ts";
import { withoutUnused } from "./used-files.ts";

const signatures: readonly [at: number, bytes: string, shows: HalfShows][] = [
  [0, "\xff\xd8\xff", "first part"],
  [0, "\x89PNG\r\n\x1a\n", "first part"],
  [0, "GIF8", "first part"],
  [8, "WEBP", "nothing"],
];
const longestSignature = 12;

/** What Chromium paints of a file's first half. It keeps the image's dimensions, fires `load`, and rejects a WebP shorter than its header states. */
export type HalfShows = "first part" | "nothing";

/** @returns null for other formats, such as SVG and AVIF, because a browser may report an error for their halves */
export function halfShows(content: Buffer): HalfShows | null {
  const start = content.subarray(0, longestSignature).toString("latin1");
  return signatures.find(([at, bytes]) => start.startsWith(bytes, at))?.[2] ?? null;
}

/**
 * Replaces each image by the first half of its bytes, which takes as long to transfer as the image would if it were compressed to half its size.
 * Files for which halfShows returns null stay unchanged.
 */
export function halved(paths: Iterable<string>): Edit {
  const all = [...new Set(paths)];
  return (before) => {
    const copies = new Map<string, { path: string; content: Buffer }>();
    for (const original of all) {
      // Halves the page's own file, not an edited copy: a second halving then changes nothing.
      const content = before.page.contentOf(original);
      if (!content || halfShows(content) === null) continue;
      const half = content.subarray(0, Math.ceil(content.length / 2));
      copies.set(original, { path: before.page.copyOf(original, half), content: half });
    }
    const after = rewriteReferences(before, ({ original, now, suffix }) => {
      const copy = copies.get(original);
      return copy && copy.path !== now ? before.page.urlOf(copy.path) + suffix : null;
    });
    if (!after) return null;
    const added = [...copies.values()].map(({ path, content }) => [path, content] as const);
    const originals = [...copies].map(([original, { path }]) => [path, original] as const);
    return withoutUnused({
      ...after,
      added: new Map([...after.added, ...added]),
      originals: new Map([...after.originals, ...originals]),
    });
  };
}
