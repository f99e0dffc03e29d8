/** Statistics of samples of loads, and their values in every resample of the blocks. */
import { sampleVariance, variance } from "simple-statistics";
import { geometricMean, mean } from "./averages.ts";
import type { Estimate, Resampled } from "./estimate.ts";
import { median, quantile } from "./quantile.ts";
import { type Resamples, resampledQuantiles } from "./resample.ts";

/** By block: one value, or all values of the block's load. */
type ByBlock = ReadonlyMap<number, number | readonly number[]>;

interface SampleValues {
  /** Infinity for a load that never ended: it took longer than `timeoutMs`. */
  byBlock: ReadonlyMap<number, number>;
  /** Block -> all values of its load, for a metric with several values per load. */
  eachByBlock?: ByBlock;
  timeoutMs?: number | undefined;
  /** Block -> the lower bound of an infinite value, if it is not the time-out. */
  atLeastMs?: ReadonlyMap<number, number>;
}

export interface Statistic {
  /** In words: "median", "90% quantile". */
  title: string;
  of(values: readonly number[]): number;
  /** Pools the values of all samples; NaN without values. */
  estimate(samples: readonly SampleValues[], resamples: Resamples): Estimate;
  /** Returns why this number of loads has no 95% interval; null if it has one. */
  tooFewLoads(loads: number): string | null;
}

/** A quantile has an interval only if at most this share of samples has all values on the quantile's likelier side. A median needs five values. */
const mostOnOneSide = 1 / 2 ** 5;

const statistics: Readonly<Record<string, Statistic>> = {
  median: quantileStatistic("median", 0.5, median),
  mean: statistic("mean", mean, resampledPool(mean), spreadAsLogNormal),
  "geometric mean": statistic("geometric mean", geometricMean, resampledPool(geometricMean)),
};

/** What `parseStatistic` accepts, for messages. */
export const statisticNames = `${Object.keys(statistics).join(", ")}, and quantiles in percent such as p90`;

/** @param name one of `statisticNames` @returns null for any other name */
export function parseStatistic(name: string): Statistic | null {
  const percent = Number(/^p(\d{1,2}(?:\.\d+)?)$/.exec(name)?.[1]);
  if (!(percent > 0)) return statistics[name] ?? null;
  return quantileStatistic(`${percent}% quantile`, percent / 100, (values) => quantile(values, percent / 100));
}

function quantileStatistic(title: string, share: number, of: (values: readonly number[]) => number): Statistic {
  const least = Math.ceil(Math.log(mostOnOneSide) / Math.log(Math.max(share, 1 - share)));
  return {
    ...statistic(title, of, (ofBlocks, resamples) => resampledQuantiles(ofBlocks, resamples, share)),
    tooFewLoads: (loads) =>
      loads < least ? `${loads} loads are too few for a ${title}'s interval: ${least} are needed` : null,
  };
}

type OfBlocks = readonly (readonly number[])[];

/** @param drawn computes the statistic of every resample of the blocks @param spread increases a variance of resamples that is too small */
function statistic(
  title: string,
  of: (values: readonly number[]) => number,
  drawn: (ofBlocks: OfBlocks, resamples: Resamples) => Float64Array,
  spread: (given: Resampled, ofBlocks: readonly number[]) => Float64Array = ({ resampled }) => resampled,
): Statistic {
  const resampledOf = (samples: readonly ByBlock[], resamples: Resamples): Resampled => {
    const all = samples.flatMap((byBlock) => [...byBlock.values()].flat());
    const value = all.length ? of(all) : Number.NaN;
    const ofBlocks = resamples.blocks.map((block) => samples.flatMap((byBlock) => byBlock.get(block) ?? []));
    const resampled = drawn(ofBlocks, resamples);
    const values = ofBlocks.flatMap((own) => (own.length ? [of(own)] : []));
    return { value, resampled: spread({ value, resampled }, values) };
  };
  return {
    title,
    of,
    estimate(samples, resamples) {
      const most = resampledOf(
        samples.map(({ byBlock, eachByBlock }) => eachByBlock ?? byBlock),
        resamples,
      );
      const isKnown = samples.every(({ byBlock }) => ![...byBlock.values()].includes(Infinity));
      const least = isKnown ? most : resampledOf(samples.map(atLeast), resamples);
      return { least, most, blocks: Math.min(...samples.map(({ byBlock }) => byBlock.size)) };
    },
    tooFewLoads: () => null,
  };
}

/** Returns the lower bounds of the values. The lower bound of an infinite value is in `atLeastMs`, or else it is the time-out. */
const atLeast = ({ byBlock, timeoutMs = 0, atLeastMs }: SampleValues): ByBlock =>
  new Map(
    [...byBlock].map(([block, value]) => [block, value === Infinity ? (atLeastMs?.get(block) ?? timeoutMs) : value]),
  );

/**
 * If values vary widely, their mean depends on a few large ones. A small sample may lack such values, and then its resampled means vary too
 * little. So this function spreads them as Cox's method does: the logarithm of a mean of log-normal values has the variance s²/n + s⁴/2(n-1), where
 * s is the standard deviation of the values' logarithms (Zhou, Gao: Confidence intervals for the log-normal mean, Statistics in Medicine 16, 1997).
 */
function spreadAsLogNormal({ value, resampled }: Resampled, ofBlocks: readonly number[]): Float64Array {
  const n = ofBlocks.length;
  if (n < 2 || ![...ofBlocks, ...resampled].every((one) => one > 0 && one < Infinity)) return resampled;
  const logs = ofBlocks.map(Math.log);
  const logVariance = sampleVariance(logs);
  const varianceOfMean = logVariance / n + logVariance ** 2 / (2 * (n - 1));
  const share = (n - 1) / n; // the variance of resamples, as a share of the samples' variance
  const stretch = Math.sqrt((share * varianceOfMean) / variance([...resampled].map(Math.log)));
  return stretch > 1 ? resampled.map((one) => value * (one / value) ** stretch) : resampled;
}

function resampledPool(of: (values: readonly number[]) => number) {
  return (ofBlocks: OfBlocks, { counts }: Resamples): Float64Array =>
    Float64Array.from(counts, (drawn) => {
      const values: number[] = [];
      for (const [i, own] of ofBlocks.entries()) for (let times = drawn[i]!; times > 0; times--) values.push(...own);
      return values.length ? of(values) : Number.NaN;
    });
}
