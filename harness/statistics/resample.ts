/**
 * The bootstrap of a randomised complete block design: each resample draws whole blocks, the same ones for
 * every condition, because loads of one block share the state that the machine was in.
 */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

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
export function resampledMedians(byBlock: ReadonlyMap<number, number>, { blocks, counts }: Resamples): Float64Array {
  const present = blocks.flatMap((block, index) => (byBlock.has(block) ? [{ index, value: byBlock.get(block)! }] : []));
  const sorted = present.sort((a, b) => a.value - b.value);
  const [order, values] = [
    Int32Array.from(sorted, ({ index }) => index),
    Float64Array.from(sorted, ({ value }) => value),
  ];
  const whole = order.length === blocks.length;
  return Float64Array.from(counts, (drawn) => {
    const total = whole ? blocks.length : order.reduce((sum, index) => sum + drawn[index]!, 0);
    return medianOf(order, values, drawn, total);
  });
}

/** The median of sorted values when each is repeated as often as its block was drawn. One pass is enough, which matters for runs with many blocks. */
function medianOf(order: Int32Array, values: Float64Array, drawn: Uint16Array, total: number): number {
  if (total === 0) return NaN;
  const [lower, upper] = [Math.floor((total - 1) / 2), Math.floor(total / 2)];
  let [passed, at] = [0, 0];
  while (passed <= lower) passed += drawn[order[at++]!]!;
  const low = values[at - 1]!;
  while (passed <= upper) passed += drawn[order[at++]!]!;
  return (low + values[at - 1]!) / 2;
}
