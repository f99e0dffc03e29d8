/** Adds one change after another to the best one, as long as each most likely saves more. */
import jstat from "jstat";
import { momentsOf } from "../statistics/anytime.ts";
import { loadsOfBlock, type Measure } from "./search.ts";
import { resolutionMs, tieShare } from "./standings.ts";
import { type SharedLink, unchanged, usersTimes } from "./times.ts";

/** A step may be wrong to add a change that saves nothing in at most this share of cases. Fresh blocks estimate the result anyway. */
const misses = 0.1;

export interface CombineGiven {
  /** The best first. */
  finalists: readonly string[];
  links: readonly SharedLink[];
  /** Whether a change can be made on a page that has the set's changes. */
  fits(set: readonly string[], added: string): boolean;
  /** The name by which `measure` knows a set of changes; that of one change is its own. */
  nameOf(set: readonly string[]): string;
  /** Blocks of each step, at least two. */
  blocks: number;
  firstBlock: number;
  loadsLeft(): number;
  measure: Measure;
}

/** A change that was added, and what the set with it saves beyond the set without it: a mean over the step's blocks, in ms, for users. */
export interface Step {
  added: string;
  moreMs: number;
}

export interface Combined {
  /** The best change, then what was added to it. */
  set: string[];
  steps: Step[];
  /** The block after the last one. */
  nextBlock: number;
}

/** Stops when no other change fits, when none of them adds enough, or when there are too few loads for another step. @throws Error without finalists */
export async function combine(given: CombineGiven): Promise<Combined> {
  const [best] = given.finalists;
  if (best === undefined) throw new Error("nothing to combine");
  const found: Combined = { set: [best], steps: [], nextBlock: given.firstBlock };
  for (;;) {
    const candidates = given.finalists.filter((one) => !found.set.includes(one) && given.fits(found.set, one));
    const needed = given.blocks * loadsOfBlock(candidates.length + 1, given.links.length);
    if (candidates.length === 0 || given.loadsLeft() < needed) return found;
    const step = await bestStep(given, found, candidates);
    found.nextBlock += given.blocks;
    if (!step) return found;
    found.set.push(step.added);
    found.steps.push(step);
  }
}

/** @returns null if no candidate most likely adds enough */
async function bestStep(given: CombineGiven, found: Combined, candidates: readonly string[]): Promise<Step | null> {
  const { links, blocks, nameOf } = given;
  const nameWith = (added: string) => nameOf([...found.set, added]);
  const changes = [nameOf(found.set), ...candidates.map(nameWith)];
  const users = usersTimes(await given.measure({ changes, blocks, firstBlock: found.nextBlock }), links);
  const without = users.get(nameOf(found.set)) ?? new Map<number, number>();
  const before = [...(users.get(unchanged)?.values() ?? [])];
  const leastMs = (tieShare * before.reduce((sum, time) => sum + time, 0)) / before.length;
  const steps = candidates.flatMap((added) => {
    const own = users.get(nameWith(added)) ?? new Map<number, number>();
    const more = [...own].flatMap(([block, time]) => (without.has(block) ? [without.get(block)! - time] : []));
    const moreMs = likelySaving(more, misses / candidates.length);
    return moreMs !== null && moreMs >= leastMs ? [{ added, moreMs }] : [];
  });
  return steps.sort((a, b) => b.moreMs - a.moreMs)[0] ?? null;
}

/** The mean of the values, if it is above 0 by Student's one-sided test; else null. */
function likelySaving(values: readonly number[], wrong: number): number | null {
  if (values.length < 2) return null;
  const { count, mean, squares } = momentsOf(values, resolutionMs);
  const error = Math.sqrt(squares / (count - 1) / count);
  return mean > error * jstat.studentt.inv(1 - wrong, count - 1) ? mean : null;
}
