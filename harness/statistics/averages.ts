/** Means of values among which Infinity may stand for what took longer than could be measured: then the mean is Infinity, too. */
import { logAverage, mean as meanOfKnown } from "simple-statistics";

/** The library's mean of values with Infinity is NaN. */
export const mean = (values: readonly number[]): number =>
  values.includes(Infinity) ? Infinity : values.includes(-Infinity) ? -Infinity : meanOfKnown([...values]);

/** Of 2 and 1/2 it is 1. */
export const geometricMean = (values: readonly number[]): number => logAverage([...values]);
