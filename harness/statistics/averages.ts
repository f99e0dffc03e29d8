/** Means of values that may include Infinity, for times longer than could be measured. The mean is then Infinity; the library would return NaN. */
import { logAverage, mean as meanOfKnown } from "simple-statistics";

export const mean = (values: readonly number[]): number =>
  values.includes(Infinity) ? Infinity : values.includes(-Infinity) ? -Infinity : meanOfKnown([...values]);

/** If all values are 100, the result is exactly 100; logarithms would give 100.00000000000001. */
export const geometricMean = (values: readonly number[]): number =>
  values.length > 0 && values.every((value) => value === values[0]) ? values[0]! : logAverage([...values]);
