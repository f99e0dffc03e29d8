/** By how much a page's times are longer than before, over one link. */
import { median } from "simple-statistics";
import { intervalOf } from "../../statistics/estimate.ts";
import { type Interval, resampleBlocks, resampledMedians } from "../../statistics/resample.ts";
import { comparedMeasures, type GateMeasureName, gateMeasures } from "./measures.ts";
import type { GateSide } from "./sides.ts";

/** As a share of before; negative if the time is shorter. */
export interface Difference extends Interval {
  share: number;
}
export type Differences = Partial<Record<GateMeasureName, Difference>>;

/** Of gates that compare equal pages, at most this share has an interval without zero: of all links and measures together. */
const missesOfAll = 0.05;

/** @param links the number of links that the gate has */
export const differencesOf = (before: GateSide, after: GateSide, links: number): Differences =>
  Object.fromEntries(
    comparedMeasures.flatMap((name) => {
      const difference = differenceOf(name, before, after, missesOfAll / links / comparedMeasures.length);
      return difference ? [[name, difference]] : [];
    }),
  );

/**
 * The median of the pairs' ratios. A pair is a load before and one after with the same random losses: one block's. Their times scatter
 * widely over a link with loss, but together. @param misses the share of intervals that may miss
 */
function differenceOf(name: GateMeasureName, before: GateSide, after: GateSide, misses: number): Difference | null {
  const [from, to] = [before, after].map(
    ({ loads }) =>
      new Map(
        loads.flatMap(({ load }) => {
          const value = gateMeasures[name].of(load);
          return value === null ? [] : [[load.block, value] as const];
        }),
      ),
  ) as [Map<number, number>, Map<number, number>];
  const pairs = new Map([...from].flatMap(([block, was]) => (to.has(block) ? [[block, to.get(block)! / was]] : [])));
  if (pairs.size === 0) return null;
  const value = median([...pairs.values()]);
  const resampled = resampledMedians(pairs, resampleBlocks(pairs.keys()));
  const interval = intervalOf({ value, resampled, blocks: pairs.size }, "logarithm", misses);
  return interval && { share: value - 1, low: interval.low - 1, high: interval.high - 1 };
}
