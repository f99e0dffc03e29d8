/** Sets of bytes as ranges; `to` is excluded. */

export type Range = readonly [from: number, to: number];

/** Adds a range. @returns ranges that neither overlap nor touch */
export function merged(ranges: readonly Range[], [from, to]: Range): Range[] {
  const near = ranges.filter(([start, end]) => start <= to && end >= from);
  const others = ranges.filter((range) => !near.includes(range));
  return [...others, [Math.min(from, ...near.map(([start]) => start)), Math.max(to, ...near.map(([, end]) => end))]];
}

export const contains = (ranges: readonly Range[], [from, to]: Range): boolean =>
  ranges.some(([start, end]) => start <= from && to <= end);
