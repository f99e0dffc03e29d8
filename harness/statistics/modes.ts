/** Whether a condition's loads take a few separate times: without random loss they can lock into phases, such as whose packets a full queue drops. */

/** Values that lie together: none of the other groups' values is between its least and its most. */
export interface Mode {
  least: number;
  most: number;
  /** The number of values. */
  size: number;
}

/** With fewer, chance makes groups too often. */
const fewestValues = 10;
/** Fewer together are no mode, but may lie apart. */
const fewestInMode = 3;
/** At least this part of the values is in modes. */
const leastPartInModes = 0.8;
/** A gap between groups is at least so many times as wide as the widest group: chance makes wide gaps between few values more often. */
const widthsApart = (values: number): number => (values < 20 ? 3 : 2);
/** Smaller gaps, as a part of the value below, matter to no speedup; loads of the virtual clock differ by 0.1 ms and less. */
const leastGap = 0.01;
const mostGroups = 6;

/**
 * The groups of values, from the lowest on, with the fewest gaps between them; empty if the values have fewer than two modes. Of values drawn
 * from one uniform, normal, log-normal, exponential or Pareto (1) distribution fewer than 2% are said to have modes (modes.test.ts).
 */
export function groupsIn(values: readonly number[]): Mode[] {
  if (values.length < fewestValues || !values.every(Number.isFinite)) return [];
  const sorted = [...values].sort((a, b) => a - b);
  const widest = sorted
    .slice(1)
    .map((value, i) => ({ before: i + 1, width: value - sorted[i]! }))
    .sort((a, b) => b.width - a.width);
  for (let gaps = 1; gaps < mostGroups; gaps++) {
    const groups = splitAt(
      sorted,
      widest.slice(0, gaps).map(({ before }) => before),
    );
    if (areApart(groups)) return groups;
  }
  return [];
}

/** The groups that are modes. */
export const isMode = ({ size }: Mode): boolean => size >= fewestInMode;

function splitAt(sorted: readonly number[], places: number[]): Mode[] {
  const ends = [...places.sort((a, b) => a - b), sorted.length];
  return ends.map((end, i) => {
    const begin = i === 0 ? 0 : ends[i - 1]!;
    return { least: sorted[begin]!, most: sorted[end - 1]!, size: end - begin };
  });
}

function areApart(groups: readonly Mode[]): boolean {
  const modes = groups.filter(isMode);
  const size = (some: readonly Mode[]) => some.reduce((sum, one) => sum + one.size, 0);
  if (modes.length < 2 || size(modes) < leastPartInModes * size(groups)) return false;
  const width = Math.max(...groups.map(({ least, most }) => most - least));
  return groups.every(({ least }, i) => {
    const below = groups[i - 1]?.most;
    return below === undefined || least - below >= Math.max(widthsApart(size(groups)) * width, leastGap * below);
  });
}
