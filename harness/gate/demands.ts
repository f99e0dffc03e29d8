/** Checks the demands on a page over one link: the page must meet its budgets, and must not be slower than before. */
import { counted } from "../../schema/words.ts";
import { enoughBlocks } from "../statistics/resample.ts";
import type { Budget } from "./budgets.ts";
import { amountOf, type Comparison, type Comparisons, type Difference } from "./differences.ts";
import { type GateMeasureName, gateMeasures, ofMeasure, printed, roundedNumber } from "./measures.ts";
import type { Medians } from "./sample.ts";

export interface GateRules {
  /** The share by which a time may be longer than before. */
  threshold: number;
  budgets: readonly Budget[];
}

/** The most serious result first. "undecided": the loads do not show whether a demand is met. */
export const results = ["failed", "undecided", "passed"] as const;
export type Result = (typeof results)[number];

export const gravestOf = (all: readonly Result[]): Result => results.find((one) => all.includes(one)) ?? "passed";

export interface Demand {
  /** null if the demand is about the loads instead of a measure. */
  measure: GateMeasureName | null;
  /** The demand in words: "requests at most 80". */
  demand: string;
  result: Result;
  measured: string;
  /** The interval's upper end, in words, if the interval contains what is allowed; else null. */
  perhaps: string | null;
}

interface Measured {
  link: string;
  after: Medians;
  comparisons: Comparisons;
}

export function demandsOn({ link, after, comparisons }: Measured, rules: GateRules): Demand[] {
  const notSlower = Object.entries(comparisons).map(([measure, comparison]) => {
    const { title, comparedFrom, comparedFromMs = 0 } = ofMeasure(gateMeasures, measure);
    // A difference that the browser's resolution alone can cause is allowed, even if it is above the threshold.
    const allowed = comparedFrom ?? Math.max(rules.threshold, comparedFromMs / comparison.from);
    const atMost = comparedFrom === undefined ? `${percent(allowed)} longer` : `${roundedNumber(allowed)} more`;
    return {
      measure,
      demand: `${title} at most ${atMost} than before`,
      result: resultOf(comparison, allowed),
      measured: wordsOf(comparison),
      perhaps: perhapsOf(comparison.difference, allowed),
    };
  });
  const withinBudget = rules.budgets
    .filter((budget) => budget.link === null || budget.link === link)
    .map(({ measure, most }): Demand => {
      const bounds = ofMeasure(after, measure);
      const { atLeast, atMost } = bounds;
      return {
        measure,
        demand: `${ofMeasure(gateMeasures, measure).title} at most ${printed(measure, { atLeast: most, atMost: most })}`,
        result: atLeast > most ? "failed" : atMost > most ? "undecided" : "passed",
        measured: printed(measure, bounds),
        perhaps: null,
      };
    });
  return [...notSlower, ...withinBudget];
}

/**
 * Failed: the whole interval is above what is allowed (a smaller difference may be chance), or too many loads lack the measure (`lost`).
 * Undecided: too few pairs can be compared; at least half of the later page's loads lack the measure, so they do not show that the demand
 * is met; or the difference is unbounded, or is above what is allowed and its interval has no lower end.
 */
function resultOf({ difference, lost, without: { after } }: Comparison, allowed: number): Result {
  if (lost || (difference && difference.low > allowed)) return "failed";
  if (!difference || 2 * after.having >= after.of) return "undecided";
  const amount = amountOf(difference);
  const hasLowerEnd = "share" in difference ? difference.low > -1 : difference.needsPairs === undefined;
  return amount === Infinity || (amount > allowed && !hasLowerEnd) ? "undecided" : "passed";
}

function wordsOf({ difference, pairs, without: { before, after } }: Comparison): string {
  const known = difference
    ? inWords(difference)
    : `known for ${counted(pairs, "pair")} of loads, but ${enoughBlocks} are needed`;
  const missing = `${after.having} of ${after.of} loads have no value (before: ${before.having} of ${before.of})`;
  return before.having + after.having > 0 ? `${known}; ${missing}` : known;
}

function perhapsOf(difference: Difference | null, allowed: number): string | null {
  if (!difference || difference.needsPairs || difference.low > allowed || difference.high <= allowed) return null;
  return difference.high === Infinity ? "no upper limit" : `no more than ${signed(difference)(difference.high)}`;
}

const percent = (share: number) => `${Number((100 * share).toFixed(1))}%`;
const signed = (difference: Difference) => (amount: number) => {
  const isShare = "share" in difference;
  if (amount === Infinity) return "unbounded";
  return `${amount < 0 ? "−" : "+"}${isShare ? `${Math.abs(100 * amount).toFixed(1)}%` : Math.abs(amount).toFixed(3)}`;
};

/** Prints a difference: "+4.8% (+4.5% to +5.1%)", "+0.120 (no interval: 9 pairs are needed)". */
export function inWords(difference: Difference): string {
  const { needsPairs } = difference;
  if (needsPairs) return `${signed(difference)(amountOf(difference))} (no interval: ${needsPairs} pairs are needed)`;
  const [amount, low, high] = [amountOf(difference), difference.low, difference.high].map(signed(difference));
  return `${amount} (${low} to ${high})`;
}
