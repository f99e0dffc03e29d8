/** Estimates how much of the difference between the two sides each cause makes, with intervals from the blocks of a `why` run. */

import { type Removed, removedSets, type WhyPlan } from "../plan/why-plan.ts";
import { combine, type Estimate, interval95, rankInterval } from "../statistics/estimate.ts";
import type { Interval } from "../statistics/resample.ts";
import { interactionOf, shapleyValues } from "./shapley.ts";

/** A number with its 95% interval, which is null with fewer than five blocks. */
export interface Measured {
  value: number;
  interval: Interval | null;
}

export interface MeasuredCause {
  name: string;
  /** The cause's share of the difference. Both numbers are null in quick runs. `percent` is also null if the difference may be 0. */
  ms: Measured | null;
  percent: Measured | null;
  /** How much the difference falls if the cause is removed alone, and if it is removed after all others. */
  aloneMs: Measured;
  lastMs: Measured;
}

export interface Interaction {
  names: [string, string];
  /** How the causes interact (shapley.ts). The sign is that of the difference if they act together, and the opposite one if their effects overlap. */
  ms: Measured;
}

/** Returns the medians of both sides without a set of causes. */
export type MediansOf = (removed: Removed) => readonly [first: Estimate, second: Estimate];

/** Computes a number from `left`, which returns the difference that is left without a set of causes. */
type Compute = (left: (removed: Removed) => number) => number;

export function estimatesOf(plan: Pick<WhyPlan, "causes" | "quick">, mediansOf: MediansOf) {
  const { causes, quick } = plan;
  const sets = removedSets(plan);
  const sides = sets.map(mediansOf);
  const place = new Map(sets.map((set, i) => [set, i]));
  const medians = [...sides.map(([first]) => first), ...sides.map(([, second]) => second)];
  const numberOf = (compute: Compute): Estimate =>
    combine(medians, (values) =>
      compute((removed) => values[sets.length + place.get(removed)!]! - values[place.get(removed)!]!),
    );
  const measured = (compute: Compute): Measured => {
    const estimate = numberOf(compute);
    return { value: estimate.least.value, interval: interval95(estimate, "linear") };
  };
  // The interval uses ranks only, because a resampled difference near 0 gives a huge ratio, which makes the standard deviation useless.
  const inPercent = (compute: Compute): Measured => {
    const { least, blocks } = numberOf((left) => (100 * compute(left)) / left(0));
    return {
      value: least.value,
      interval: rankInterval({ value: least.value, resampled: least.resampled, blocks }, 0.05),
    };
  };
  const all = (1 << causes.length) - 1;
  const difference = measured((left) => left(0));
  const isSure = difference.interval !== null && !contains(difference.interval, 0);
  return {
    /** The second side's median minus the first side's, in milliseconds. */
    differenceMs: difference,
    /** What is left of the difference without any of the causes. */
    restMs: measured((left) => left(all)),
    restPercent: isSure ? inPercent((left) => left(all)) : null,
    causes: causes.map(
      ({ name }, i): MeasuredCause => ({
        name,
        ms: quick ? null : measured((left) => shapleyValues(left, causes.length)[i]!),
        percent: quick || !isSure ? null : inPercent((left) => shapleyValues(left, causes.length)[i]!),
        aloneMs: measured((left) => left(0) - left(1 << i)),
        lastMs: measured((left) => left(all ^ (1 << i)) - left(all)),
      }),
    ),
    interactions: quick ? [] : interactionsOf(causes, measured),
    /** Both sides' medians with all causes, in milliseconds. */
    sidesMs: ([0, 1] as const).map((index): Measured => {
      const estimate = sides[place.get(0)!]![index];
      return { value: estimate.least.value, interval: interval95(estimate, "logarithm") };
    }) as [Measured, Measured],
  };
}

function interactionsOf(causes: WhyPlan["causes"], measured: (compute: Compute) => Measured): Interaction[] {
  const pairs = causes.flatMap(({ name }, i) =>
    causes
      .slice(i + 1)
      .map((other, j) => ({ names: [name, other.name] as [string, string], at: [i, i + 1 + j] as [number, number] })),
  );
  return pairs.map(({ names, at }) => ({ names, ms: measured((left) => interactionOf(left, causes.length, at)) }));
}

export const contains = ({ low, high }: Interval, value: number): boolean => low <= value && high >= value;
