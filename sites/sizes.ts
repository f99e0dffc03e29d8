import jstat from "jstat";
import { usageError } from "../schema/errors.ts";

/** Quantile functions: the size at rank u (0 to 1). A larger shape gives a smaller mean; with 1, "power" is uniform and "log-power" log-uniform. */
const quantiles = {
  power: (u: number, min: number, max: number, shape: number) => min + (max - min) * u ** shape,
  "log-power": (u: number, min: number, max: number, shape: number) => min * (max / min) ** (u ** shape),
};
export type Distribution = keyof typeof quantiles;
export const distributions = Object.keys(quantiles) as [Distribution, ...Distribution[]];

export interface SizeSpec {
  distribution: Distribution;
  count: number;
  minBytes: number;
  maxBytes: number;
  meanBytes: number;
}

export interface SolvedSizes {
  /** The sizes in ascending order. Sizes from `solveSizes` begin with exactly `minBytes` and end with exactly `maxBytes`. */
  sizesBytes: number[];
  /** The shape parameter, for distributions that have one. */
  shape?: number;
}

/** Finds sizes with the given mean by bisection over the shape. @throws LabError (usage) that names `where` if no shape gives this mean */
export function solveSizes(spec: SizeSpec, where: string): SolvedSizes {
  const sizesWith = (shape: number) =>
    Array.from({ length: spec.count }, (_, rank) =>
      // Rounding also hides the last bits of **, which JavaScript engines compute differently.
      Math.round(quantiles[spec.distribution](rank / Math.max(spec.count - 1, 1), spec.minBytes, spec.maxBytes, shape)),
    );
  let [smallest, largest] = [1 / 64, 64];
  for (let step = 0; step < 60; step++) {
    const shape = Math.sqrt(smallest * largest);
    if (meanOf(sizesWith(shape)) > spec.meanBytes) smallest = shape;
    else largest = shape;
  }
  const sizesBytes = sizesWith(largest);
  if (Math.abs(meanOf(sizesBytes) - spec.meanBytes) <= 1) return { sizesBytes, shape: largest };
  const [low, high] = [Math.ceil(meanOf(sizesWith(64))), Math.floor(meanOf(sizesWith(1 / 64)))];
  throw usageError(
    `${where}: no sizes with the distribution ${spec.distribution} have a mean of ${spec.meanBytes} B; ${low} to ${high} B is allowed`,
  );
}

export interface LogNormalSpec {
  count: number;
  medianBytes: number;
  /** The standard deviation of the sizes' natural logarithms. */
  sigma: number;
  minBytes: number;
  maxBytes: number;
}

/** Divides a log-normal distribution into equally likely parts. @returns the median of each part, ascending, clamped to the limits */
export const logNormalSizes = ({ count, medianBytes, sigma, minBytes, maxBytes }: LogNormalSpec): number[] =>
  Array.from({ length: count }, (_, rank) => {
    const bytes = Math.round(medianBytes * Math.exp(sigma * jstat.normal.inv((rank + 0.5) / count, 0, 1)));
    return Math.min(Math.max(bytes, minBytes), maxBytes);
  });

const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
