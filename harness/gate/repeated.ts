/** Checks how many loads were repeated because an attempt gave no result. If only slow attempts give no result, the page looks too fast. */
import { counted } from "../../schema/words.ts";
import { chanceOfSoMany, type Share } from "../statistics/fisher.ts";
import type { Demand } from "./demands.ts";

/** How many loads of each page over a link were repeated; `before` is null if there is no page to compare with. */
export interface Repeated {
  before: Share | null;
  after: Share;
}

/** If both pages are equal, at most this share of gates finds by chance that one page's loads were repeated more often than the other's. */
const missesOfAll = 0.05;

/** Returns an undecided demand if at least half of the later page's loads, or more of one page's loads than chance explains, were repeated. */
export function repeatedDemands(repeated: Repeated, rows: number): Demand[] {
  const { before, after } = repeated;
  const chance = before ? Math.min(chanceOfSoMany(before, after), chanceOfSoMany(after, before)) : 1;
  if (chance > missesOfAll / 2 / rows && 2 * after.having < after.of) return [];
  return [
    {
      measure: null,
      demand: "loads give a result at the first attempt",
      result: "undecided",
      measured: `${inWords(repeated)} had to be repeated, so slow loads may be missing`,
      perhaps: null,
    },
  ];
}

/** Prints the numbers: "6 of 10 loads (before: 0 of 10)". */
export const inWords = ({ before, after }: Repeated): string =>
  `${after.having} of ${counted(after.of, "load")}${before ? ` (before: ${before.having} of ${before.of})` : ""}`;
