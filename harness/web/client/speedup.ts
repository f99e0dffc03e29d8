/** The speedup of any condition over any other, with its interval, computed as the tables do it. */
import { interval95 } from "../../statistics/estimate.ts";
import {
  enoughBlocks,
  type Interval,
  resampleBlocks,
  resampledMedians,
  tooFewBlocks,
} from "../../statistics/resample.ts";
import type { Side } from "./distributions.ts";
import { median } from "./format.ts";

/** The first attempt of each block that shows a time. */
function byBlock({ loads }: Side): Map<number, number> {
  const times = new Map<number, number>();
  for (const { block, ms } of loads) if (ms !== null && !times.has(block)) times.set(block, ms);
  return times;
}

/** @returns null if a side has no load, or most of its loads never ended */
export function speedupOf(sides: readonly [Side, Side]) {
  const [baseline, option] = sides.map(byBlock) as [Map<number, number>, Map<number, number>];
  const [slow, fast] = [median([...baseline.values()]), median([...option.values()])];
  if (slow === null || fast === null) return null;
  if (slow / fast === 0 || !Number.isFinite(slow / fast)) return null;
  const blocks = Math.min(baseline.size, option.size);
  const oneRun = sides[0].key.split(".")[0] === sides[1].key.split(".")[0];
  const interval = blocks < enoughBlocks ? null : intervalOf(slow / fast, baseline, option, oneRun);
  return { speedup: slow / fast, interval, noInterval: tooFewBlocks(blocks) ?? "some of their loads never ended" };
}

/** Two conditions of one run are resampled by the same blocks. Blocks of two runs are drawn separately, because they have nothing in common. */
function intervalOf(
  value: number,
  baseline: Map<number, number>,
  option: Map<number, number>,
  oneRun: boolean,
): Interval | null {
  const blocks = [...baseline.keys(), ...option.keys()];
  const slow = resampledMedians(baseline, resampleBlocks(blocks));
  const fast = resampledMedians(option, resampleBlocks(blocks, undefined, oneRun ? 1 : 2));
  const resampled = slow.map((ms, i) => ms / fast[i]!);
  return interval95({ value, resampled, blocks: Math.min(baseline.size, option.size) }, "logarithm");
}
