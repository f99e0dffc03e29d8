import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Condition, PlannedLoad } from "../../schema/plan.ts";

/**
 * Randomised complete blocks: each block has every condition once, so that slow changes of the machine affect both sides of a comparison.
 * A block's order depends only on (seed, block), so that a run with more blocks begins like a run with fewer blocks.
 */
export function planBlocks(conditions: Condition[], blocks: number, seed: number): PlannedLoad[] {
  return Array.from({ length: blocks }, (_, i) => i + 1).flatMap((block) =>
    orderOfBlock(conditions, block, seed).map((condition) => ({ block, attempt: 1, condition })),
  );
}

export const orderOfBlock = <T>(conditions: T[], block: number, seed: number): T[] =>
  shuffle(conditions, seed + block * 0x9e3779b9);

/** A seeded Fisher-Yates shuffle. */
function shuffle<T>(items: T[], seed: number): T[] {
  const random = xoroshiro128plus(seed | 0);
  const shuffled = [...items];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = uniformInt(random, 0, i);
    [shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T];
  }
  return shuffled;
}
