/** What a page must meet over one link: the budgets, and not to be slower than before. */
import { counted } from "../../schema/words.ts";
import { enoughBlocks } from "../statistics/resample.ts";
import type { Budget } from "./budgets.ts";
import type { Comparison, Comparisons, Difference } from "./differences.ts";
import { type GateMeasureName, gateMeasures, ofMeasure, printed, printedValue } from "./measures.ts";
import type { Medians } from "./sample.ts";

export interface GateRules {
  /** The difference that is allowed, as a share. */
  threshold: number;
  budgets: readonly Budget[];
}

/** "undecided": the loads do not decide it. The gravest is the first. */
export const results = ["failed", "undecided", "passed"] as const;
export type Result = (typeof results)[number];

export const gravestOf = (all: readonly Result[]): Result => results.find((one) => all.includes(one)) ?? "passed";

export interface Demand {
  measure: GateMeasureName;
  /** "requests at most 80" */
  demand: string;
  result: Result;
  /** What was measured, in words. */
  measured: string;
  /** How much longer than before it may be although it passed, in words; null if no more than allowed. */
  perhaps: string | null;
}

interface Measured {
  link: string;
  before: Medians | null;
  after: Medians;
  comparisons: Comparisons;
}

export function demandsOn({ link, before, after, comparisons }: Measured, rules: GateRules): Demand[] {
  const notSlower = Object.entries(comparisons).map(([measure, comparison]) => {
    const allowed = allowedShare(measure, ofMeasure(before ?? {}, measure).atLeast, rules);
    return {
      measure,
      demand: `${ofMeasure(gateMeasures, measure).title} at most ${percent(allowed)} longer than before`,
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
        demand: `${ofMeasure(gateMeasures, measure).title} at most ${printedValue(measure, most)}`,
        result: atLeast > most ? "failed" : atMost > most ? "undecided" : "passed",
        measured: printed(measure, bounds),
        perhaps: null,
      };
    });
  return [...notSlower, ...withinBudget];
}

/** The threshold, or the difference that the instrument alone can cause, whichever is larger. */
const allowedShare = (measure: GateMeasureName, beforeMs: number, { threshold }: GateRules): number =>
  Math.max(threshold, (ofMeasure(gateMeasures, measure).comparedFromMs ?? 0) / beforeMs);

/**
 * The whole interval must exceed what is allowed: a difference that may be chance is not a failure. If half of the loads or more are
 * without a time that they had before, then their median does not show how much longer it is.
 */
function resultOf({ difference, lost }: Comparison, allowed: number): Result {
  if (lost || (difference && difference.low > allowed)) return "failed";
  return difference && difference.share < Infinity ? "passed" : "undecided";
}

function wordsOf({ difference, pairs, without: { before, after } }: Comparison): string {
  const known = difference
    ? inPercent(difference)
    : `known of ${counted(pairs, "pair")} of loads; ${enoughBlocks} are needed`;
  const missing = `${after.having} of ${after.of} loads are without it, ${before.having} of ${before.of} before`;
  return before.having + after.having > 0 ? `${known}; ${missing}` : known;
}

function perhapsOf(difference: Difference | null, allowed: number): string | null {
  if (!difference || difference.low > allowed || difference.high <= allowed) return null;
  return difference.high === Infinity ? "no upper limit" : `no more than ${signed(difference.high)}`;
}

const percent = (share: number) => `${Number((100 * share).toFixed(1))}%`;
const signed = (share: number) =>
  share === Infinity ? "longer" : `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}%`;

/** "+4.8% (+4.5% to +5.1%)" */
export const inPercent = ({ share, low, high }: Difference): string =>
  `${signed(share)} (${signed(low)} to ${signed(high)})`;
