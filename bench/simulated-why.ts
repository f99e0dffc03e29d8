/** Simulates runs of `./lab why` with known shares, and counts how many of their intervals contain the true share. */
import { isRemoved, type Removed } from "../harness/plan/why-plan.ts";
import { parseStatistic } from "../harness/statistics/statistic.ts";
import { estimatesOf, type Measured } from "../harness/why/estimates.ts";
import { shapleyValues } from "../harness/why/shapley.ts";
import { type Random, randomOf } from "./random.ts";
import { driftsOf, resamplesOf, shapes, timesOf } from "./simulated-intervals.ts";

const names = ["first", "second", "none"];
const causes = names.map((name) => ({ name, removed: { loss: 0 }, from: [0, 1] as [0, 1] }));

/** The time of each side's loads with some causes removed, in milliseconds. The third cause has no effect. */
export const truths: Readonly<Record<string, (side: 0 | 1, removed: Removed) => number>> = {
  additive: (side, removed) =>
    1000 + side * 200 + (isRemoved(removed, 0) ? 0 : side * 500) + (isRemoved(removed, 1) ? 0 : side * 300),
  multiplicative: (side, removed) =>
    1000 * (side ? 1.2 : 1) * (side && !isRemoved(removed, 0) ? 1.5 : 1) * (side && !isRemoved(removed, 1) ? 1.3 : 1),
};

const median = parseStatistic("median")!;

/** Returns which fractions of the intervals contain the truth. @param truth one of `truths` @param shape one of `shapes`, scaled to the median 1 */
export function coverageOfShares(truth: string, shape: string, blocks: number, runs: number) {
  const random = randomOf(1);
  const scale = middleOf(shapes[shape]!, random);
  const timeOf = truths[truth]!;
  const left = (removed: Removed) => timeOf(1, removed) - timeOf(0, removed);
  const trueMs = shapleyValues(left, causes.length);
  const found = { ms: [0, 0], percent: [0, 0], rest: [0, 0] };
  const count = (of: keyof typeof found, measured: Measured | null, true_: number) => {
    if (!measured?.interval) return;
    found[of][1]!++;
    if (measured.interval.low <= true_ && true_ <= measured.interval.high) found[of][0]!++;
  };
  for (let run = 0; run < runs; run++) {
    const drifts = driftsOf(blocks, random);
    const resamples = resamplesOf(blocks, random);
    const sideOf = (side: 0 | 1, removed: Removed) => {
      const byBlock = timesOf(drifts, shapes[shape]!, random, timeOf(side, removed) / scale);
      return median.estimate([{ byBlock }], resamples);
    };
    const estimates = estimatesOf({ causes }, (removed) => [sideOf(0, removed), sideOf(1, removed)]);
    estimates.causes.forEach(({ ms, percent }, i) => {
      count("ms", ms, trueMs[i]!);
      count("percent", percent, (100 * trueMs[i]!) / left(0));
    });
    count("rest", estimates.restMs, left((1 << causes.length) - 1));
  }
  const share = ([holding, intervals]: number[]) => holding! / intervals!;
  return { ms: share(found.ms), percent: share(found.percent), rest: share(found.rest) };
}

function middleOf(time: (random: Random) => number, random: Random): number {
  const many = Float64Array.from({ length: 20_001 }, () => time(random)).sort();
  return many[10_000]!;
}
