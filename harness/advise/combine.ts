/** Combines changes: starts with the best change, and adds one change after another, as long as this most likely saves more time. */
import jstat from "jstat";
import { momentsOf } from "../statistics/anytime.ts";
import { loadsOfBlock, type Measure } from "./search.ts";
import { resolutionMs, tieShare } from "./standings.ts";
import { type SharedLink, unchanged, usersTimes } from "./times.ts";

/** The largest probability that a step adds a useless change. It need not be small, because fresh loads then measure the combination. */
const misses = 0.1;

export interface CombineGiven {
  /** The changes to combine, the best first. */
  finalists: readonly string[];
  links: readonly SharedLink[];
  fits(set: readonly string[], added: string): boolean;
  /** Returns the name by which `measure` knows a set of changes. A set of one change has the change's name. */
  nameOf(set: readonly string[]): string;
  /** How many blocks each step loads, at least two. */
  blocks: number;
  firstBlock: number;
  loadsLeft(): number;
  measure: Measure;
}

/** @returns the best change, then the changes that were added to it @throws Error if there are no finalists */
export async function combine(given: CombineGiven): Promise<string[]> {
  const [best] = given.finalists;
  if (best === undefined) throw new Error("combine needs at least one finalist");
  const set = [best];
  for (let { firstBlock } = given; ; firstBlock += given.blocks) {
    const candidates = given.finalists.filter((one) => !set.includes(one) && given.fits(set, one));
    const needed = given.blocks * loadsOfBlock(candidates.length + 1, given.links.length);
    if (candidates.length === 0 || given.loadsLeft() < needed) return set;
    const added = await bestStep({ ...given, firstBlock }, set, candidates);
    if (added === null) return set;
    set.push(added);
  }
}

/** @returns the change whose addition saves most; null if no addition most likely saves enough */
async function bestStep(given: CombineGiven, set: readonly string[], candidates: readonly string[]) {
  const { links, blocks, firstBlock, nameOf } = given;
  const nameWith = (added: string) => nameOf([...set, added]);
  const changes = [nameOf(set), ...candidates.map(nameWith)];
  const users = usersTimes(await given.measure({ changes, blocks, firstBlock }), links);
  const without = users.get(nameOf(set)) ?? new Map<number, number>();
  const before = [...(users.get(unchanged)?.values() ?? [])];
  const leastMs = (tieShare * before.reduce((sum, time) => sum + time, 0)) / before.length;
  const steps = candidates.flatMap((added) => {
    const own = users.get(nameWith(added)) ?? new Map<number, number>();
    const more = [...own].flatMap(([block, time]) => (without.has(block) ? [without.get(block)! - time] : []));
    const moreMs = likelySaving(more, misses / candidates.length);
    return moreMs !== null && moreMs >= leastMs ? [{ added, moreMs }] : [];
  });
  return steps.sort((a, b) => b.moreMs - a.moreMs)[0]?.added ?? null;
}

/** @param wrong the significance level @returns the mean of the values if Student's one-sided t-test finds it above 0; else null */
function likelySaving(values: readonly number[], wrong: number): number | null {
  if (values.length < 2) return null;
  const { count, mean, squares } = momentsOf(values, resolutionMs);
  const error = Math.sqrt(squares / (count - 1) / count);
  return mean > error * jstat.studentt.inv(1 - wrong, count - 1) ? mean : null;
}
