/** Load times by change, link and block, and their averages over the users. */

export interface SharedLink {
  name: string;
  /** The share of the users who have this link, from 0 to 1. The shares of all links add up to 1. */
  share: number;
}

/** The key of the unchanged page in maps whose other keys are names of changes. */
export const unchanged = "";

/** Times in ms by change (or `unchanged`), link and block; Infinity: the load never ended. All loads of a block share their random numbers. */
export type Times = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<number, number>>>;

/** Merges the times of all rounds, which have no block in common. */
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

/** Block -> time in ms, averaged over the links by the users' shares. Blocks that lack a link are left out. */
export type UsersTimes = ReadonlyMap<number, number>;

/** A load that never ended counts as the longest finite time over its link. So changes whose loads sometimes never end save less than computed. */
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

function longestOver(times: Times, link: string): number {
  let longest = 0;
  for (const byLink of times.values())
    for (const time of byLink.get(link)?.values() ?? []) if (time < Infinity && time > longest) longest = time;
  return longest;
}

/** Whether over some link no load with the change ended, but a load of the unchanged page in these blocks did. @param times one round's times */
export function neverEnds(times: Times, change: string, links: readonly SharedLink[]): boolean {
  return links.some(({ name }) => {
    const own = [...(times.get(change)?.get(name) ?? [])];
    const before = times.get(unchanged)?.get(name);
    return (
      own.every(([, time]) => time === Infinity) && own.some(([block]) => (before?.get(block) ?? Infinity) < Infinity)
    );
  });
}
