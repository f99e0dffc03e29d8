/**
 * The bootstrap of a randomised complete block design: each resample draws whole blocks, the same ones for
 * every condition, because loads of one block share the state that the machine was in.
 */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { between, rankOf } from "./quantile.ts";

/** Ends of a 95% interval, in the unit of what was resampled. */
export interface Interval {
  low: number;
  high: number;
}

/** Resamples of the blocks of a run: `counts[draw][i]` says how often it drew `blocks[i]`. */
export interface Resamples {
  blocks: number[];
  counts: Uint16Array[];
}

/** With this many, another seed moves the ends of a 95% interval by about 1% of its width. */
const defaultDraws = 2000;

/**
 * With fewer blocks there is no 95% interval. The widest interval that five values can give for a median, from the smallest to
 * the largest, contains it in 1 - 2/2^5 = 94% of samples; that of three values only in 75%.
 * `./lab bench intervals` simulates how often intervals of speedups contain the truth.
 */
export const enoughBlocks = 5;

/** Why there is no interval, in words; null if there can be one. */
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

/** The median of a sample (value by block) in every resample; NaN if a resample has none of its blocks. */
export const resampledMedians = (byBlock: ReadonlyMap<number, number>, resamples: Resamples): Float64Array =>
  resampledQuantiles(
    resamples.blocks.map((block) => (byBlock.has(block) ? [byBlock.get(block)!] : [])),
    resamples,
    0.5,
  );

/** A quantile of each block's values in every resample; NaN if a resample has no values. Sorting them only once matters for runs with many blocks. */
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

/** The value at a rank when each of the sorted values is repeated as often as its block was drawn. */
function quantileOfDraw(order: Int32Array, values: Float64Array, drawn: Uint16Array, rank: number): number {
  if (rank < 0) return NaN;
  const [lower, upper] = [Math.floor(rank), Math.ceil(rank)];
  let [passed, at] = [0, 0];
  while (passed <= lower) passed += drawn[order[at++]!]!;
  const low = values[at - 1]!;
  while (passed <= upper) passed += drawn[order[at++]!]!;
  return between(low, values[at - 1]!, rank % 1);
}
