import { usageError } from "../schema/errors.ts";

/**
 * Quantile functions: the size at rank u (0 to 1) between smallest and largest, with a shape parameter. A larger shape gives a smaller
 * mean. With a shape of 1, "power" is uniform and "log-power" log-uniform.
 */
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
  /** Ascending, from exactly `minBytes` to exactly `maxBytes`. */
  sizesBytes: number[];
  shape: number;
}

/**
 * The sizes with the given mean, found by bisection over the shape.
 * @param where their place in the page's file, for errors
 * @throws LabError (usage) when no shape has that mean
 */
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
    `${where}: no ${spec.distribution} sizes have a mean of ${spec.meanBytes} B; ${low} to ${high} B is allowed`,
  );
}

const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
