import { median } from "simple-statistics";
import { interval95, redrawBlocks, resampledMedians } from "./resample.ts";

/** What a run's manifest says of conditions that need no more loads. */
export const enoughOf =
  ({ untilPercent }: { untilPercent?: number | undefined }) =>
  (timesMs: number[]): boolean =>
    untilPercent !== undefined && isEnough(timesMs, untilPercent);

/** Whether a condition's loads say its median well enough: the 95% interval's farther end is within `ciPercent` of it. */
export function isEnough(timesMs: number[], ciPercent: number): boolean {
  const byBlock = new Map(timesMs.toSorted((a, b) => a - b).map((timeMs, i) => [i, timeMs]));
  const interval = interval95(resampledMedians(byBlock, redrawBlocks(byBlock.keys())), byBlock.size);
  const middle = median(timesMs);
  return interval !== null && Math.max(interval.high - middle, middle - interval.low) <= (middle * ciPercent) / 100;
}
