/** By how much a page's times are longer than before, over one link. */
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

/** Before and after are compared within the same blocks, as in every comparison of the lab. @param misses the share of intervals that may miss */
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
  const blocks = Math.min(from.size, to.size);
  if (blocks === 0) return null;
  const resamples = resampleBlocks([...from.keys(), ...to.keys()]);
  const [was, is] = [resampledMedians(from, resamples), resampledMedians(to, resamples)];
  const value = after.medians[name]! / before.medians[name]!;
  const interval = intervalOf({ value, resampled: is.map((ms, i) => ms / was[i]!), blocks }, "logarithm", misses);
  return interval && { share: value - 1, low: interval.low - 1, high: interval.high - 1 };
}
