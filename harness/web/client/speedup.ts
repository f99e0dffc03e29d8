/** The speedup of one condition over another, with its interval, computed as the tables compute it. */
import { boundedValue, type Estimate, interval95, ratioOf } from "../../statistics/estimate.ts";
import { resampleBlocks, tooFewBlocks } from "../../statistics/resample.ts";
import { parseStatistic } from "../../statistics/statistic.ts";
import type { Side } from "./distributions.ts";

/** Returns the time of each block's first attempt with a valid time. */
function byBlock({ loads }: Side): Map<number, number> {
  const times = new Map<number, number>();
  for (const { block, ms } of loads) if (ms !== null && !times.has(block)) times.set(block, ms);
  return times;
}

const median = parseStatistic("median")!;

/** @returns null if a side has no load or a median of 0, or if half of the loads or more never ended on both sides */
export function speedupOf(sides: readonly [Side, Side]) {
  const samples = sides.map((side) => ({ byBlock: byBlock(side), timeoutMs: side.timeoutMs }));
  const blocks = samples.map((sample) => [...sample.byBlock.keys()]);
  if (blocks.some((own) => own.length === 0)) return null;
  // Two conditions of one run are resampled by the same blocks. Blocks of different runs are independent, so they are drawn separately.
  const oneRun = sides[0].key.split(".")[0] === sides[1].key.split(".")[0];
  const medianOf = (side: 0 | 1, seed: number) =>
    median.estimate([samples[side]!], resampleBlocks(blocks.flat(), undefined, seed));
  const estimate: Estimate = ratioOf(medianOf(0, 1), medianOf(1, oneRun ? 1 : 2));
  const { value, bound } = boundedValue(estimate, "logarithm");
  if (value === null || value === 0) return null;
  return {
    speedup: value,
    bound,
    interval: interval95(estimate, "logarithm"),
    noInterval: tooFewBlocks(estimate.blocks) ?? "too many loads never ended",
  };
}
