/** Simulates runs whose true speedups are all 1, and counts how many of the tables' intervals contain 1. */
import { contrast } from "../harness/plan/comparisons.ts";
import { readExperiment } from "../harness/plan/experiment.ts";
import { combine, interval95 } from "../harness/statistics/estimate.ts";
import { type Interval, type Resamples, resampleBlocks } from "../harness/statistics/resample.ts";
import { parseStatistic } from "../harness/statistics/statistic.ts";
import type { Sample } from "../harness/tables/counted.ts";
import { resampleMedians, speedupsOf } from "../harness/tables/speedups.ts";
import { statisticsOf } from "../harness/tables/statistics.ts";
import type { Condition } from "../schema/plan.ts";
import { benchedConditions } from "./on-lanes.ts";
import { normal, type Random, randomOf } from "./random.ts";

const logNormal = (sigma: number) => (random: Random) => Math.exp(sigma * normal(random));

/** Typical distributions of a load's time, relative to its condition's time. They are not fitted to recorded loads. */
export const shapes: Record<string, (random: Random) => number> = {
  "log-normal, sigma 0.02": logNormal(0.02),
  "log-normal, sigma 0.3": logNormal(0.3),
  "time-outs: each adds 10 to 40%; 40% of loads have one, 40% of these a second, and so on": (random) => {
    let time = logNormal(0.03)(random);
    while (random() < 0.4) time += 0.1 + 0.3 * random();
    return time;
  },
  "log-normal, sigma 1": logNormal(1),
  "two groups: half of the loads take 20% longer": (random) => (random() < 0.5 ? 1 : 1.2) * logNormal(0.01)(random),
  "rare: a tenth of the loads take twice as long": (random) => (random() < 0.1 ? 2 : 1) * logNormal(0.01)(random),
};
const drift = logNormal(0.05);

/** The machine's speed during each block: the same factor for all loads of the block. */
export const driftsOf = (blocks: number, random: Random): number[] =>
  Array.from({ length: blocks }, () => drift(random));

/** Simulates the times of a condition's loads, by block. @param middle the condition's time, without drift and scatter */
export const timesOf = (
  drifts: readonly number[],
  shape: (random: Random) => number,
  random: Random,
  middle: number,
): Map<number, number> => new Map(drifts.map((shared, i) => [i + 1, middle * shared * shape(random)]));

/** Resamples blocks. A quarter of the draws that the lab uses is enough, because more draws hardly change the intervals' ends. */
export const resamplesOf = (blocks: number, random: Random, draws = 500): Resamples =>
  resampleBlocks(
    Array.from({ length: blocks }, (_, i) => i + 1),
    draws,
    Math.floor(random() * 2 ** 31),
  );

/** Simulates the loads of conditions. @param middleOf returns a condition's time, without drift and scatter */
export function simulatedSamples(
  conditions: readonly Condition[],
  shape: string,
  blocks: number,
  random: Random,
  middleOf: (condition: Condition) => number,
): Sample[] {
  const drifts = driftsOf(blocks, random);
  return conditions.map((condition) => {
    const byBlock = timesOf(drifts, shapes[shape]!, random, middleOf(condition));
    return { condition, byBlock, flagged: 0, planned: blocks };
  });
}

/** Numbers of scenarios in a geometric mean: a single speedup, a cell of Table 5, a cell of Table 6. */
export const meansOf = [1, 8, 18] as const;

/** Returns, for each of `meansOf`, the share of geometric means whose interval contains 1. @param shape one of `shapes` */
export function coverage(shape: string, blocks: number, runs: number): number[] {
  const random = randomOf(1);
  const found = meansOf.map(() => ({ intervals: 0, holding: 0 }));
  const { baseline, comparisons } = readExperiment("spdy-initcwnd");
  const sides = contrast(baseline, comparisons["1"]!);
  const conditions = benchedConditions(["initcwnd=3"]);
  for (let run = 0; run < runs; run++) {
    const samples = simulatedSamples(conditions, shape, blocks, random, () => 1);
    const speedups = speedupsOf("1", sides, samples, resampleMedians(samples, resamplesOf(blocks, random)));
    meansOf.forEach((size, i) => {
      for (let from = 0; from + size <= speedups.length; from += size) {
        const interval: Interval | null = statisticsOf(speedups.slice(from, from + size))!.interval;
        found[i]!.intervals++;
        if (interval && interval.low <= 1 && 1 <= interval.high) found[i]!.holding++;
      }
    });
  }
  return found.map(({ intervals, holding }) => holding / intervals);
}

/** Returns the share of intervals that contain 1, for speedups of this statistic whose true value is 1; null if there is no interval. */
export function coverageOf(name: string, shape: string, blocks: number, runs: number): number | null {
  const random = randomOf(1);
  const statistic = parseStatistic(name)!;
  if (statistic.tooFewLoads(blocks)) return null;
  let holding = 0;
  for (let run = 0; run < runs; run++) {
    const drifts = driftsOf(blocks, random);
    const resamples = resamplesOf(blocks, random);
    const sides = [1, 2].map(() => {
      const byBlock = timesOf(drifts, shapes[shape]!, random, 1);
      return statistic.estimate([{ byBlock }], resamples);
    });
    const interval = interval95(
      combine(sides, ([base = 0, option = 0]) => base / option),
      "logarithm",
    );
    if (interval && interval.low <= 1 && 1 <= interval.high) holding++;
  }
  return holding / runs;
}
