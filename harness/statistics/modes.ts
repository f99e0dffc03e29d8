/** Finds separate groups among a condition's load times, as when the time depends on which connection's packets a full queue drops. */

/** A group of values: a mode, or outliers. Groups do not overlap. */
export interface Group {
  least: number;
  most: number;
  size: number;
}

/** With fewer values, groups are found by chance too often. */
const fewestValues = 10;
/** A smaller group is not a mode; its values are outliers. */
const fewestInMode = 3;
const leastPartInModes = 0.8;
/** Returns the least width of a gap between groups, as a multiple of the widest group's width. Among few values, chance makes wider gaps. */
const widthsApart = (values: number): number => (values < 20 ? 3 : 2);
/** The least gap, as a share of the value below it. On the virtual clock all loads may be within 0.1 ms; such small gaps change no speedup. */
const leastGap = 0.01;
const mostGroups = 6;

/**
 * Returns the groups of values, lowest first, separated by as few gaps as possible; empty if there are fewer than two modes. In samples of a
 * uniform, normal, log-normal, exponential or Pareto (1) distribution, modes are found in fewer than 2% of cases (modes.test.ts).
 */
export function groupsIn(values: readonly number[]): Group[] {
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

const isMode = ({ size }: Group): boolean => size >= fewestInMode;

function splitAt(sorted: readonly number[], places: number[]): Group[] {
  const ends = [...places.sort((a, b) => a - b), sorted.length];
  return ends.map((end, i) => {
    const begin = i === 0 ? 0 : ends[i - 1]!;
    return { least: sorted[begin]!, most: sorted[end - 1]!, size: end - begin };
  });
}

function areApart(groups: readonly Group[]): boolean {
  const modes = groups.filter(isMode);
  const size = (some: readonly Group[]) => some.reduce((sum, one) => sum + one.size, 0);
  if (modes.length < 2 || size(modes) < leastPartInModes * size(groups)) return false;
  const width = Math.max(...groups.map(({ least, most }) => most - least));
  return groups.every(({ least }, i) => {
    const below = groups[i - 1]?.most;
    return below === undefined || least - below >= Math.max(widthsApart(size(groups)) * width, leastGap * below);
  });
}
