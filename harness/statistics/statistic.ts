/** What a sample of loads is summed up by, and the same in every redraw of its blocks. */
import { logAverage, mean, median, quantileSorted } from "simple-statistics";
import { type Redraws, resampledMedians } from "./resample.ts";

export interface Statistic {
  /** In words: "median", "90% quantile". */
  title: string;
  of(values: readonly number[]): number;
  /** NaN where none of a sample's blocks was drawn. */
  resampled(byBlock: ReadonlyMap<number, number>, redraws: Redraws): Float64Array;
}

const statistics: Readonly<Record<string, Statistic>> = {
  median: { title: "median", of: (values) => median([...values]), resampled: resampledMedians },
  mean: withRedraws("mean", mean),
  "geometric mean": withRedraws("geometric mean", logAverage),
};

/** What `parseStatistic` takes, for messages. */
export const statisticNames = `${Object.keys(statistics).join(", ")}, and quantiles in percent such as p90`;

/** @param name one of `statisticNames`; null for anything else */
export function parseStatistic(name: string): Statistic | null {
  const percent = Number(/^p(\d{1,2}(?:\.\d+)?)$/.exec(name)?.[1]);
  if (!(percent > 0)) return statistics[name] ?? null;
  return withRedraws(`${percent}% quantile`, (values) =>
    quantileSorted(
      values.toSorted((a, b) => a - b),
      percent / 100,
    ),
  );
}

function withRedraws(title: string, of: (values: number[]) => number): Statistic {
  return {
    title,
    of: (values) => of([...values]),
    resampled: (byBlock, { blocks, counts }) =>
      Float64Array.from(counts, (drawn) => {
        const values = blocks.flatMap((block, index) => {
          const value = byBlock.get(block);
          return value === undefined ? [] : Array.from({ length: drawn[index]! }, () => value);
        });
        return values.length ? of(values) : Number.NaN;
      }),
  };
}
