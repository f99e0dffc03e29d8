/** The gain of one condition over another, with its interval, as the tables make them: of any two. */
import { interval95 } from "../../statistics/estimate.ts";
import { enoughBlocks, redrawBlocks, resampledMedians, tooFewBlocks } from "../../statistics/resample.ts";
import type { IntervalView } from "../data/model.ts";
import type { Side } from "./distributions.ts";
import { median } from "./format.ts";

/** The first try of each block that counts. */
function byBlock({ loads }: Side): Map<number, number> {
  const times = new Map<number, number>();
  for (const { block, ms } of loads) if (ms !== null && !times.has(block)) times.set(block, ms);
  return times;
}

export function gainOf(
  sides: readonly [Side, Side],
): { gain: number; interval: IntervalView | null; tooFew: string | null } | null {
  const [base, option] = sides.map(byBlock) as [Map<number, number>, Map<number, number>];
  const [slow, fast] = [median([...base.values()]), median([...option.values()])];
  if (slow === null || fast === null) return null;
  const blocks = Math.min(base.size, option.size);
  const oneRun = sides[0].key.split(".")[0] === sides[1].key.split(".")[0];
  const interval = blocks < enoughBlocks ? null : intervalOf(slow / fast, base, option, oneRun);
  return { gain: slow / fast, interval, tooFew: tooFewBlocks(blocks) };
}

/** Blocks of one run are drawn for both sides alike; those of two runs have nothing in common. */
function intervalOf(
  value: number,
  base: Map<number, number>,
  option: Map<number, number>,
  oneRun: boolean,
): IntervalView | null {
  const blocks = [...base.keys(), ...option.keys()];
  const slow = resampledMedians(base, redrawBlocks(blocks));
  const fast = resampledMedians(option, redrawBlocks(blocks, undefined, oneRun ? 1 : 2));
  const resampled = slow.map((ms, i) => ms / fast[i]!);
  return interval95({ value, resampled, blocks: Math.min(base.size, option.size) }, "logarithm");
}
