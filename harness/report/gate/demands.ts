/** What a page must meet over one link: the budgets, and not to be slower than before. */
import type { Budget } from "./budgets.ts";
import type { Difference, Differences } from "./differences.ts";
import { comparedMeasures, type GateMeasureName, gateMeasures, printed } from "./measures.ts";
import type { Medians } from "./sides.ts";

export interface GateRules {
  /** The difference that is allowed, as a share. */
  threshold: number;
  budgets: readonly Budget[];
}

export interface Demand {
  measure: GateMeasureName;
  /** "requests at most 80" */
  demand: string;
  met: boolean;
  /** What was measured, in words. */
  measured: string;
}

interface Measured {
  link: string;
  before: Medians | null;
  after: Medians;
  differences: Differences;
}

export function demandsOn({ link, before, after, differences }: Measured, rules: GateRules): Demand[] {
  const notSlower = comparedMeasures.flatMap((measure): Demand[] => {
    const was = before?.[measure] ?? null;
    if (was === null) return [];
    const allowed = allowedShare(measure, was, rules);
    const difference = differences[measure];
    return [
      {
        measure,
        demand: `${gateMeasures[measure].title} at most ${percent(allowed)} longer than before`,
        // The whole interval must exceed what is allowed: a difference that may be chance is no failure.
        met: after[measure] !== null && (difference?.low ?? 0) <= allowed,
        measured: difference ? inPercent(difference) : printed(measure, after[measure]),
      },
    ];
  });
  const withinBudget = rules.budgets
    .filter((budget) => budget.link === null || budget.link === link)
    .map(({ measure, most }): Demand => {
      const value = after[measure];
      return {
        measure,
        demand: `${gateMeasures[measure].title} at most ${printed(measure, most)}`,
        met: value !== null && value <= most,
        measured: printed(measure, value),
      };
    });
  return [...notSlower, ...withinBudget];
}

/** The threshold, or the difference that the instrument alone can cause, whichever is larger. */
const allowedShare = (measure: GateMeasureName, beforeMs: number, { threshold }: GateRules): number =>
  Math.max(threshold, (gateMeasures[measure].comparedFromMs ?? 0) / beforeMs);

const percent = (share: number) => `${Number((100 * share).toFixed(1))}%`;
const signed = (share: number) => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}%`;

/** "+4.8% (+4.5% to +5.1%)" */
export const inPercent = ({ share, low, high }: Difference): string =>
  `${signed(share)} (${signed(low)} to ${signed(high)})`;
