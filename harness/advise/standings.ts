/**
 * Decides after every round of a search, from all blocks so far, which changes stay in the search. In 95% of searches, the best change is never
 * dropped as slower, and every change that is dropped as not worth it really is not worth it. To ensure this, the other 5% are divided evenly
 * (Bonferroni) among two intervals for each change that the search began with. `anytimeInterval` computes these intervals:
 * - the interval of the change's saving beyond `worthShare`;
 * - the interval of the best change's saving less this change's saving. Only these comparisons can drop the best change, whichever change leads.
 * Comparisons of two other changes may be wrong in more than 5% of searches, but they only drop changes that are not the best.
 */
import { anytimeInterval, momentsOf } from "../statistics/anytime.ts";
import type { Interval } from "../statistics/resample.ts";
import {
  mergedTimes,
  neverEnds,
  type SharedLink,
  type Times,
  type UsersTimes,
  unchanged,
  usersTimes,
} from "./times.ts";

/** A saving of less than this share of the unchanged page's time is not worth a change. */
export const worthShare = 0.02;
/** Changes whose savings differ by less than this share of the unchanged page's time are equally good. */
export const tieShare = 0.005;
/** Times that differ by less than this count as equal. The virtual clock repeats times exactly, or to within some tenths of a millisecond. */
export const resolutionMs = 1;
/** The largest share of searches that make a wrong decision. */
const misses = 0.05;

/**
 * - "never ends": over some link, no load with the change ended in the last round, although a load of the unchanged page did.
 * - "not worth it": the change surely saves less than `worthShare`.
 * - "slower": the change surely saves less than the leader, by more than `tieShare`.
 * - "near": the change surely saves less than the leader, or surely the same to within `tieShare`. Leaving the change out loses nothing.
 * - "open": none of these states is sure. The leader is open unless one of the first two states is sure.
 */
export type State = "never ends" | "not worth it" | "slower" | "near" | "open";

export interface Standing {
  change: string;
  blocks: number;
  /** The mean time that users save, in ms; negative if the change makes the page slower. NaN without blocks. */
  savingMs: number;
  state: State;
}

export interface Standings {
  /** The mean time of the unchanged page for users, in ms. */
  unchangedMs: number;
  /** All changes, the best first. Changes that have no loads, or with which loads never end, are last. */
  all: Standing[];
}

/**
 * @param rounds the times of each round; a round lacks the changes that were left out before it
 * @param of the names of the changes that are still in the search, all of which have the same blocks
 * @param began how many changes the search began with
 */
export function standings(
  rounds: readonly Times[],
  of: readonly string[],
  links: readonly SharedLink[],
  began: number,
): Standings {
  const users = usersTimes(mergedTimes(rounds), links);
  const last = rounds.at(-1) ?? new Map();
  const before: UsersTimes = users.get(unchanged) ?? new Map();
  const unchangedMs = average([...before.values()]);
  const ranked = of
    .map((change) => {
      const own = users.get(change) ?? new Map();
      const savingMs = average(differences(before, own));
      return { change, own, savingMs, blocks: own.size, ends: own.size > 0 && !neverEnds(last, change, links) };
    })
    .sort((a, b) => Number(b.ends) - Number(a.ends) || b.savingMs - a.savingMs || 0);
  const leader = ranked[0]?.ends ? ranked[0].own : new Map<number, number>();
  const intervalOf = (values: readonly number[]): Interval =>
    values.length
      ? anytimeInterval(momentsOf(values, resolutionMs), misses / (2 * began))
      : { low: -Infinity, high: Infinity };
  const stateOf = ({ own, ends }: (typeof ranked)[number]): State => {
    if (!ends) return "never ends";
    const beyond = intervalOf(differences(before, own, 1 - worthShare));
    if (beyond.high < 0) return "not worth it";
    if (own === leader) return "open";
    const behind = intervalOf(differences(leader, own));
    const tieMs = tieShare * unchangedMs;
    if (behind.high < -tieMs) return "slower";
    return behind.high < 0 || (behind.low > -tieMs && behind.high < tieMs) ? "near" : "open";
  };
  return {
    unchangedMs,
    all: ranked.map((one) => ({
      change: one.change,
      blocks: one.blocks,
      savingMs: one.savingMs,
      state: stateOf(one),
    })),
  };
}

/** Returns a number for each block that both pages have: `share` times the first page's time, minus the second page's time. */
function differences(first: UsersTimes, second: UsersTimes, share = 1): number[] {
  const found: number[] = [];
  for (const [block, time] of second) {
    const other = first.get(block);
    if (other !== undefined) found.push(share * other - time);
  }
  return found;
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
