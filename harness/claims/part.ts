/** The numbers from which a claim is computed, before they have intervals, and functions that combine these numbers. */
import { max, min } from "simple-statistics";
import { isCount, type Leaf } from "../plan/claims.ts";
import { geometricMean, mean } from "../statistics/averages.ts";
import { combine, differenceOf, type Estimate, intervalOf, ratioOf, type Scale } from "../statistics/estimate.ts";
import type { Interval } from "../statistics/resample.ts";

export interface Part {
  key: string;
  label: string;
  estimate: Estimate | null;
  unit: string;
  scale: Scale;
  /** Set for extremes and counts over many scenarios, and for numbers computed from them. Resampling does not give their intervals. */
  intervalOf?: ((misses: number) => Interval | null) | undefined;
  /** Why resampling gives no useful interval, or null. */
  tooFew: string | null;
}

export function intervalOfPart(part: Part, misses: number): Interval | null {
  if (part.tooFew || !part.estimate) return null;
  return part.intervalOf ? part.intervalOf(misses) : intervalOf(part.estimate, part.scale, misses);
}

/** Returns a function that computes the ratio or the difference of two parts. */
const combinedOf =
  (of: (first: Estimate, second: Estimate) => Estimate, ofEnds: (a: Interval, b: Interval) => Interval, scale: Scale) =>
  (first: Part, second: Part): Part => ({
    key: first.key,
    label: first.label,
    unit: scale === "logarithm" ? "" : first.unit,
    scale,
    estimate: first.estimate && second.estimate && of(first.estimate, second.estimate),
    tooFew: first.tooFew ?? second.tooFew,
    // Extremes and counts have no resampled values. So the ends of two intervals are combined, each with half the allowed probability of a miss.
    intervalOf:
      first.intervalOf || second.intervalOf
        ? (misses) => {
            const [one, other] = [first, second].map((part) => intervalOfPart(part, misses / 2));
            return one && other ? ofEnds(one, other) : null;
          }
        : undefined,
  });

export const quotientOf = combinedOf(
  ratioOf,
  (a, b) => ({ low: a.low / b.high, high: b.low === 0 ? Infinity : a.high / b.low }),
  "logarithm",
);
export const lessOf = combinedOf(differenceOf, (a, b) => ({ low: a.low - b.high, high: a.high - b.low }), "linear");

const means = {
  "geometric mean": geometricMean,
  mean,
  maximum: max,
  minimum: min,
} as const;
type Over = Exclude<Leaf["over"], "pool">;

const combinerOf = (over: Over): ((values: number[]) => number) =>
  isCount(over) ? (values) => values.filter((value) => value >= over.count.atLeast).length : means[over];

/**
 * Computes the interval of an extreme or a count. Resampling would be biased, because chance makes the largest of many values larger. So the
 * scenarios' intervals are widened until all contain their true values, except with probability `misses` (Bonferroni).
 * The lower end of a minimum needs no correction, because it is wrong only if the interval of the scenario with the true minimum is wrong (an
 * intersection-union test). The same holds for the upper end of a maximum.
 */
const intervalOfMany =
  (each: readonly Estimate[], scale: Scale, over: Over) =>
  (misses: number): Interval | null => {
    const ends = (end: keyof Interval, own: number) => {
      const known = each.flatMap((estimate) => intervalOf(estimate, scale, own)?.[end] ?? []);
      return known.length === each.length ? combinerOf(over)(known) : null;
    };
    const low = ends("low", over === "minimum" ? misses : misses / each.length);
    const high = ends("high", over === "maximum" ? misses : misses / each.length);
    return low === null || high === null ? null : { low, high };
  };

/** Combines the numbers of several scenarios; sets `intervalOf` if resampling does not give the interval. */
export function overScenarios(
  each: readonly Estimate[],
  over: Leaf["over"],
  scale: Scale,
): Pick<Part, "estimate" | "intervalOf"> {
  if (over === "pool" || (each.length === 1 && !isCount(over))) return { estimate: each[0]! };
  const needsEach = isCount(over) || over === "maximum" || over === "minimum";
  return {
    estimate: combine(each, combinerOf(over)),
    intervalOf: needsEach ? intervalOfMany(each, scale, over) : undefined,
  };
}
