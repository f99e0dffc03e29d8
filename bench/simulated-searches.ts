/** Simulates whole searches on made-up pages, and counts how often their final output is true. */

import { type FinalEstimates, finalEstimates } from "../harness/advise/final-estimates.ts";
import { loadsOfBlock, search } from "../harness/advise/search.ts";
import type { Interval } from "../harness/statistics/resample.ts";
import { type Effect, type MadeUpPage, madeUpLinks, madeUpPage, type Noise } from "./made-up-searches.ts";
import { type Random, randomOf } from "./random.ts";

/**
 * Kinds of simulated pages, named by what their changes save.
 * - "spread": changes save 0 to 30%, most of them little, or make the page slower.
 * - "ties": three changes save exactly the same 15%, the others less than 10%.
 * - "close": changes save 5 to 10%, so that many are hardly worse than the best one.
 * - "nothing": all changes save 0 to 1.9%, or make the page slower.
 * - "no effect": no change does anything.
 */
export const pageNames = ["spread", "ties", "close", "nothing", "no effect"] as const;
export type Page = (typeof pageNames)[number];

interface SimulateGiven {
  page: Page;
  noise: Noise;
  searches: number;
  /** How many new blocks the finalists get after the search. */
  finalBlocks: number;
}

const [changeCount, most] = [30, 5]; // most: the maximum number of finalists
/** How many loads the search may make, in blocks with all changes over all links. */
const budgetBlocks = 15;
const draws = 500;

/** Shares of the searches, from 0 to 1. */
export interface Rates {
  /** The change that saves most is named first, or tied with the first. */
  bestIsNamed: number;
  /** The change that saves most is named as in `bestIsNamed`, or the search says that it did not rule this change out. */
  bestIsNotExcluded: number;
  /** The intervals of all finalists, in ms and in percent, contain the truth. */
  allHold: number;
  /** The verdict is not "helps". */
  saysNothing: number;
  /** The mean share of the allowed loads that the search used. */
  used: number;
}

export async function simulateSearches(given: SimulateGiven): Promise<Rates> {
  const random = randomOf(1);
  const sums: Rates = { bestIsNamed: 0, bestIsNotExcluded: 0, allHold: 0, saysNothing: 0, used: 0 };
  for (let i = 0; i < given.searches; i++) {
    const one = await simulateSearch(given, random);
    for (const name of Object.keys(sums) as (keyof Rates)[]) sums[name] += Number(one[name]) / given.searches;
  }
  return sums;
}

async function simulateSearch(given: SimulateGiven, random: Random): Promise<Record<keyof Rates, boolean | number>> {
  const effects = pages[given.page](random);
  const page = madeUpPage(effects, given.noise, random);
  const changes = [...effects.keys()];
  const links = madeUpLinks;
  const budget = budgetBlocks * loadsOfBlock(changeCount, links.length);
  const { measure } = page;
  const found = await search({ changes, links, most, loadsLeft: () => budget - page.loads(), measure });
  const used = page.loads() / budget;
  const asked = { changes: found.finalists, blocks: given.finalBlocks, firstBlock: found.nextBlock };
  const { finalists, isSure } = found;
  const printed = finalEstimates({ times: await measure(asked), changes: finalists, links, isSure, draws });
  const saved = (change: string) => page.trueMs() - page.trueMs(change);
  const best = changes.reduce((a, b) => (saved(b) > saved(a) ? b : a));
  const equal = (change: string) => saved(change) >= saved(best) - 1e-9;
  const bestIsNamed = printed.changes.some(({ change, isTied }) => isTied && equal(change));
  const holds = intervalsThatHold(printed, page);
  return {
    bestIsNamed,
    bestIsNotExcluded: bestIsNamed || found.left.some(({ change, why }) => why === "behind" && equal(change)),
    allHold: holds.every(Boolean),
    saysNothing: printed.verdict !== "helps",
    used,
  };
}

function intervalsThatHold({ changes }: FinalEstimates, page: MadeUpPage): boolean[] {
  return changes.flatMap(({ change, savedMs, savedPercent }) => {
    const saved = page.trueMs() - page.trueMs(change);
    return [contains(savedMs.interval, saved), contains(savedPercent.interval, (100 * saved) / page.trueMs())];
  });
}

/** The 1e-6 allows for rounding errors in intervals of width 0. A change without an interval counts as true: it claims nothing. */
const contains = (interval: Interval | null, truth: number): boolean =>
  interval === null || (interval.low <= truth + 1e-6 && truth - 1e-6 <= interval.high);

type Effects = ReadonlyMap<string, Effect>;
const pages: Readonly<Record<Page, (random: Random) => Effects>> = {
  spread: (random) => effectsOf(() => (random() < 0.3 ? -0.1 * random() : 0.3 * random() ** 3)),
  ties: (random) => effectsOf((i) => (i < 3 ? 0.15 : 0.1 * random())),
  close: (random) => effectsOf(() => 0.05 + 0.05 * random()),
  nothing: (random) => effectsOf(() => (random() < 0.3 ? -0.1 : 0.019) * random()),
  "no effect": () => effectsOf(() => 0),
};

/** Every second change saves a share of a load's time, and each other change equal ms over every link. @param share returns change i's share */
function effectsOf(share: (i: number) => number): Effects {
  const pageMs = madeUpLinks.reduce((sum, one) => sum + one.share * one.ms, 0);
  return new Map(
    Array.from({ length: changeCount }, (_, i): [string, Effect] => {
      const saves = share(i);
      return [`change ${i}`, i % 2 ? { factor: 1 - saves, addMs: 0 } : { factor: 1, addMs: -saves * pageMs }];
    }),
  );
}
