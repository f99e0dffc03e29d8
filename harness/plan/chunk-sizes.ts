/** Divides a run on the virtual clock into chunks. Only the plan decides how, because a load's bytes depend on earlier loads in its guest. */
import { z } from "zod";

export const chunkSizesSchema = z.strictObject({
  /** The most loads that one guest makes. */
  loads: z.int().positive(),
  /** The most links that one guest measures. */
  links: z.int().positive(),
});
export type ChunkSizes = z.infer<typeof chunkSizesSchema>;

/** The chunk sizes of runs before 2026-11-29, which do not record them. */
const before: ChunkSizes = { loads: 48, links: 4 };
/** A guest ends after at most this many loads or links, so that nothing accumulates in it. */
const most = before;
/** A guest gets at least this much, because its start takes about as long as 8 loads, as measuring 1 link, or as learning 4 pages. */
const least = { loads: 8, links: 1, pages: 2 };

/** @returns sizes that give an even number of chunks of about the same size, so that two lanes end at the same time */
export const evenChunks = (loads: number, links: number): ChunkSizes => ({
  loads: inPairs(loads, least.loads, most.loads),
  links: inPairs(links, least.links, most.links),
});

/** Returns how many pages' requests one guest learns. */
export const evenPages = (pages: number): number => inPairs(pages, least.pages, most.loads);

/** Divides items into an even number of parts of at most `most` items, or into one part if two would be too small. @returns the size of a part */
function inPairs(items: number, least: number, most: number): number {
  const parts = items < 2 * least ? 1 : 2 * Math.max(1, Math.ceil(items / (2 * most)));
  return Math.max(1, Math.ceil(items / parts));
}

export const chunkSizesOf = ({ chunks = before }: { chunks?: ChunkSizes | undefined }): ChunkSizes => chunks;
