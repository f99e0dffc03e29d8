/** How a run on the virtual clock is divided into chunks. Its plan alone decides, because a load's bytes depend on the loads before it in its guest. */
import { z } from "zod";

export const chunkSizesSchema = z.strictObject({
  /** The most loads that one guest makes. */
  loads: z.int().positive(),
  /** The most links that one guest measures. */
  links: z.int().positive(),
});
export type ChunkSizes = z.infer<typeof chunkSizesSchema>;

/** Of runs before 2026-11-29, which do not record them. */
const before: ChunkSizes = { loads: 48, links: 4 };
/** More loads are not worth another guest: a guest takes as long to start as some loads, and ends so that nothing accumulates in it. */
const most = before;
/** With fewer loads, starting a second guest takes longer than the loads. */
const leastLoads = 3;

/** @returns sizes with which chunks come in pairs of equal size, so that two lanes end at the same time */
export const evenChunks = (loads: number, links: number): ChunkSizes => ({
  loads: Math.max(leastLoads, inPairs(loads, most.loads)),
  links: inPairs(links, most.links),
});

/** The size of each part if there are two parts, or four, or six, of at most `most` items. */
function inPairs(items: number, most: number): number {
  const parts = 2 * Math.max(1, Math.ceil(items / (2 * most)));
  return Math.max(1, Math.ceil(items / parts));
}

/** @param run its manifest */
export const chunkSizesOf = ({ chunks = before }: { chunks?: ChunkSizes | undefined }): ChunkSizes => chunks;
