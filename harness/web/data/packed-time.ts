/** A load's time in a report's data: an integer in thousandths of the metric's unit, which is finer than any client's clock. */
const nothing = -1;
const neverEnded = -2;

/** @param time null if the attempt has no valid time; Infinity if the load never ended */
export function packedTime(time: number | null): number {
  if (time === null) return nothing;
  return time === Infinity ? neverEnded : Math.round(1000 * time);
}

export function unpackedTime(packed: number): number | null {
  if (packed === nothing) return null;
  return packed === neverEnded ? Infinity : packed / 1000;
}
