/** The median of values that may be infinite: times that are longer than could be measured. NaN without values. */
export function medianOf(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).sort();
  const [lower, upper] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (lower === undefined || upper === undefined) return Number.NaN;
  return (lower + upper) / 2;
}
