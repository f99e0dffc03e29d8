/** How a run on the virtual clock is divided into chunks: by its plan alone, because a load's bytes depend on the loads before it in its guest. */
import { z } from "zod";

export const chunkSizesSchema = z.strictObject({
  /** The most loads that one guest makes. */
  loads: z.int().positive(),
  /** The most links that one guest measures. */
  links: z.int().positive(),
});
export type ChunkSizes = z.infer<typeof chunkSizesSchema>;

/** The sizes of runs before 2026-11-29, which do not record them. */
const before: ChunkSizes = { loads: 48, links: 4 };
/** A guest ends after at most this many, so that nothing accumulates in it. */
const most = before;
/** Starting a guest takes as long as about eight loads. Measuring a link takes as long as starting a guest, learning a page as long as two loads. */
const least = { loads: 8, links: 1, pages: 2 };

/** @returns sizes with which chunks come in pairs of equal size, so that two lanes end at the same time */
export const evenChunks = (loads: number, links: number): ChunkSizes => ({
  loads: inPairs(loads, least.loads, most.loads),
  links: inPairs(links, least.links, most.links),
});

/** How many pages one guest learns. */
export const evenPages = (pages: number): number => inPairs(pages, least.pages, most.loads);

/** Divides items into two, four, six or more parts of at most `most` items, or into one if two would be too small. @returns the size of each part */
function inPairs(items: number, least: number, most: number): number {
  const parts = items < 2 * least ? 1 : 2 * Math.max(1, Math.ceil(items / (2 * most)));
  return Math.max(1, Math.ceil(items / parts));
}

/** @param run its manifest */
export const chunkSizesOf = ({ chunks = before }: { chunks?: ChunkSizes | undefined }): ChunkSizes => chunks;
