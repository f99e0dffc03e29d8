/** Bootstrap of a randomised complete block design: a block's loads share the machine's state, so all conditions get the same drawn blocks. */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { between, rankOf } from "./quantile.ts";

export interface Interval {
  low: number;
  high: number;
}

/** Resamples of the blocks of a run: `counts[draw][i]` is how often resample `draw` contains `blocks[i]`. */
export interface Resamples {
  blocks: number[];
  counts: Uint16Array[];
}

/** With this number of resamples, another seed moves the ends of a 95% interval by about 1% of its width. */
const defaultDraws = 2000;

/**
 * With fewer blocks there is no 95% interval. The widest interval that five values can give for a median, from the smallest value to the largest,
 * contains the true median in 1 - 2/2^5 = 94% of samples; three values give only 75%.
 */
export const enoughBlocks = 5;

/** Returns why there is no interval, in words; null if there can be one. */
export const tooFewBlocks = (blocks: number): string | null =>
  blocks < enoughBlocks
    ? `${blocks} ${blocks === 1 ? "block is" : "blocks are"} too few for a 95% interval: ${enoughBlocks} are needed`
    : null;

/** Draws as many blocks as there are, with replacement. The same blocks and seed give the same draws. */
export function resampleBlocks(blocks: Iterable<number>, draws = defaultDraws, seed = 1): Resamples {
  const sorted = [...new Set(blocks)].sort((a, b) => a - b);
  const random = xoroshiro128plus(seed);
  const counts = Array.from({ length: draws }, () => {
    const drawn = new Uint16Array(sorted.length);
    for (let n = 0; n < sorted.length; n++) drawn[uniformInt(random, 0, sorted.length - 1)]! += 1;
    return drawn;
  });
  return { blocks: sorted, counts };
}

/** Returns the median of a sample (block -> value) in every resample; NaN if a resample has none of the sample's blocks. */
export const resampledMedians = (byBlock: ReadonlyMap<number, number>, resamples: Resamples): Float64Array =>
  resampledQuantiles(
    resamples.blocks.map((block) => (byBlock.has(block) ? [byBlock.get(block)!] : [])),
    resamples,
    0.5,
  );

/** Returns a quantile of the blocks' values in every resample; NaN if a resample has no values. Values are sorted only once, to save time. */
export function resampledQuantiles(
  ofBlocks: readonly (readonly number[])[],
  { counts }: Resamples,
  share: number,
): Float64Array {
  const sorted = ofBlocks
    .flatMap((own, index) => own.map((value) => ({ index, value })))
    .sort((a, b) => (a.value === b.value ? 0 : a.value - b.value));
  const order = Int32Array.from(sorted, ({ index }) => index);
  const values = Float64Array.from(sorted, ({ value }) => value);
  return Float64Array.from(counts, (drawn) => {
    const total = ofBlocks.reduce((sum, own, i) => sum + drawn[i]! * own.length, 0);
    return quantileOfDraw(order, values, drawn, rankOf(total, share));
  });
}

/** Returns the value at a rank among the sorted values, each of which is repeated as often as its block was drawn. */
function quantileOfDraw(order: Int32Array, values: Float64Array, drawn: Uint16Array, rank: number): number {
  if (rank < 0) return NaN;
  const [lower, upper] = [Math.floor(rank), Math.ceil(rank)];
  let [passed, at] = [0, 0];
  while (passed <= lower) passed += drawn[order[at++]!]!;
  const low = values[at - 1]!;
  while (passed <= upper) passed += drawn[order[at++]!]!;
  return between(low, values[at - 1]!, rank % 1);
}
