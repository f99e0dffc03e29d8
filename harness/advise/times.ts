/** The times that blocks have for each change, and what they are worth to the users. */

/** A link, and how many of the users have it. */
export interface SharedLink {
  name: string;
  /** The shares of all links sum up to 1. */
  share: number;
}

/** The name of the unchanged page among the changes. */
export const unchanged = "";

/**
 * Times in ms by change, link and block; those of the unchanged page are under `unchanged`. Infinity: the load never ended. A block that is
 * missing was not measured. The loads of a block have the same random draws on all pages.
 */
export type Times = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<number, number>>>;

/** All times of the rounds so far. No block is measured twice. */
export function mergedTimes(rounds: readonly Times[]): Times {
  const all = new Map<string, Map<string, Map<number, number>>>();
  for (const round of rounds)
    for (const [change, byLink] of round) {
      const links = all.get(change) ?? new Map<string, Map<number, number>>();
      all.set(change, links);
      for (const [link, byBlock] of byLink) links.set(link, new Map([...(links.get(link) ?? []), ...byBlock]));
    }
  return all;
}

/** A time in ms for each block, averaged over the links by the users' shares. Blocks that miss a link are left out. */
export type UsersTimes = ReadonlyMap<number, number>;

/**
 * What the users wait in each block. A load that never ended counts as the longest time that any page took over its link: it took longer
 * than this. So such loads make no mean infinite, and a change whose loads sometimes do not end saves less than is counted.
 */
export function usersTimes(times: Times, links: readonly SharedLink[]): Map<string, UsersTimes> {
  const longest = new Map(links.map(({ name }) => [name, longestOver(times, name)]));
  return new Map(
    [...times].map(([change, byLink]) => {
      const sums = new Map<number, number>();
      for (const block of byLink.get(links[0]?.name ?? "")?.keys() ?? []) {
        let sum = 0;
        for (const { name, share } of links)
          sum += share * Math.min(byLink.get(name)?.get(block) ?? Number.NaN, longest.get(name)!);
        if (!Number.isNaN(sum)) sums.set(block, sum);
      }
      return [change, sums];
    }),
  );
}

/** @returns 0 if no load over the link ended */
function longestOver(times: Times, link: string): number {
  let longest = 0;
  for (const byLink of times.values())
    for (const time of byLink.get(link)?.values() ?? []) if (time < Infinity && time > longest) longest = time;
  return longest;
}

/** Whether a change breaks the page: over some link none of its loads ended, while the unchanged page's loads did in the same blocks. @param times of one round */
export function neverEnds(times: Times, change: string, links: readonly SharedLink[]): boolean {
  return links.some(({ name }) => {
    const own = [...(times.get(change)?.get(name) ?? [])];
    const before = times.get(unchanged)?.get(name);
    return (
      own.every(([, time]) => time === Infinity) && own.some(([block]) => (before?.get(block) ?? Infinity) < Infinity)
    );
  });
}
