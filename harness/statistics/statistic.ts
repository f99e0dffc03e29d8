/** Statistics of samples of loads, and their values in every resample of the blocks. */
import { logAverage, mean, median, quantileSorted, sampleVariance, variance } from "simple-statistics";
import type { Estimate } from "./estimate.ts";
import { type Resamples, resampledMedians } from "./resample.ts";

/** Values by block. */
type ByBlock = ReadonlyMap<number, number>;

interface SampleValues {
  /** Infinity for a load that never ended: it took longer than `timeoutMs`. */
  byBlock: ByBlock;
  timeoutMs?: number | undefined;
}

export interface Statistic {
  /** In words: "median", "90% quantile". */
  title: string;
  of(values: readonly number[]): number;
  /** From the values of all samples together; NaN without values. */
  estimate(samples: readonly SampleValues[], resamples: Resamples): Estimate;
  /** Why this number of loads has no 95% interval; null if it has one. */
  tooFewLoads(loads: number): string | null;
}

/** There is an interval if all values are on one side of the quantile in at most this share of samples: for a median, from five values on. */
const mostOnOneSide = 1 / 2 ** 5;

const statistics: Readonly<Record<string, Statistic>> = {
  median: quantile("median", 0.5, median),
  mean: meanStatistic(),
  "geometric mean": statistic("geometric mean", logAverage),
};

/** What `parseStatistic` takes, for messages. */
export const statisticNames = `${Object.keys(statistics).join(", ")}, and quantiles in percent such as p90`;

/** @param name one of `statisticNames`; null for anything else */
export function parseStatistic(name: string): Statistic | null {
  const percent = Number(/^p(\d{1,2}(?:\.\d+)?)$/.exec(name)?.[1]);
  if (!(percent > 0)) return statistics[name] ?? null;
  return quantile(`${percent}% quantile`, percent / 100, (values) =>
    quantileSorted(
      values.toSorted((a, b) => a - b),
      percent / 100,
    ),
  );
}

function quantile(title: string, share: number, of: (values: number[]) => number): Statistic {
  const least = Math.ceil(Math.log(mostOnOneSide) / Math.log(Math.max(share, 1 - share)));
  return {
    ...statistic(title, of),
    tooFewLoads: (loads) =>
      loads < least ? `${loads} loads are too few for a ${title}'s interval: ${least} are needed` : null,
  };
}

function statistic(title: string, of: (values: number[]) => number): Statistic {
  const known = (values: number[]) => (values.length ? of(values) : Number.NaN);
  return {
    title,
    of: (values) => of([...values]),
    estimate: (samples, resamples) => ({
      ...boundedValue(samples, known),
      resampled:
        title === "median" && samples.length === 1
          ? resampledMedians(samples[0]!.byBlock, resamples)
          : resampledPool(samples, resamples, known),
      blocks: Math.min(...samples.map(({ byBlock }) => byBlock.size)),
    }),
    tooFewLoads: () => null,
  };
}

function meanStatistic(): Statistic {
  // The library's mean of values with Infinity is NaN.
  const plain = statistic("mean", (values) => (values.includes(Infinity) ? Infinity : mean(values)));
  return {
    ...plain,
    estimate(samples, resamples) {
      const estimate = plain.estimate(samples, resamples);
      const ofBlocks = resamples.blocks.flatMap((block) => {
        const values = samples.flatMap(({ byBlock }) => byBlock.get(block) ?? []);
        return values.length ? [plain.of(values)] : [];
      });
      return { ...estimate, resampled: spreadAsLogNormal(estimate, ofBlocks) };
    },
  };
}

/**
 * A mean of values that differ by factors depends on the few largest values. A small sample may lack them, and then its resamples are too
 * close together. So they are spread as the means of a log-normal sample would be, by Cox's method: the variance of the mean's logarithm is
 * s²/n + s⁴/2(n-1), where s is the standard deviation of the values' logarithms (Zhou, Gao: Confidence intervals for the log-normal mean, Statistics in Medicine 16, 1997).
 */
function spreadAsLogNormal({ value, resampled }: Estimate, ofBlocks: readonly number[]): Float64Array {
  const n = ofBlocks.length;
  if (n < 2 || ![...ofBlocks, ...resampled].every((one) => one > 0 && one < Infinity)) return resampled;
  const logs = ofBlocks.map(Math.log);
  const logVariance = sampleVariance(logs);
  const varianceOfMean = logVariance / n + logVariance ** 2 / (2 * (n - 1));
  const share = (n - 1) / n; // the variance of resamples, as a share of that of samples
  const stretch = Math.sqrt((share * varianceOfMean) / variance([...resampled].map(Math.log)));
  return stretch > 1 ? resampled.map((one) => value * (one / value) ** stretch) : resampled;
}

/** If loads that never ended make a statistic infinite, it is computed with their time-outs instead, and is only a lower bound. */
function boundedValue(
  samples: readonly SampleValues[],
  of: (values: number[]) => number,
): Pick<Estimate, "value" | "bound"> {
  const valuesWith = (endless: (timeoutMs: number | undefined) => number) =>
    of(
      samples.flatMap(({ byBlock, timeoutMs }) =>
        [...byBlock.values()].map((value) => (value === Infinity ? endless(timeoutMs) : value)),
      ),
    );
  const value = valuesWith(() => Infinity);
  return value === Infinity ? { value: valuesWith((timeoutMs = Infinity) => timeoutMs), bound: "at least" } : { value };
}

function resampledPool(
  samples: readonly SampleValues[],
  { blocks, counts }: Resamples,
  of: (values: number[]) => number,
): Float64Array {
  const ofBlocks = blocks.map((block) => samples.flatMap(({ byBlock }) => byBlock.get(block) ?? []));
  return Float64Array.from(counts, (drawn) => {
    const values: number[] = [];
    for (const [i, own] of ofBlocks.entries()) for (let times = drawn[i]!; times > 0; times--) values.push(...own);
    return of(values);
  });
}
