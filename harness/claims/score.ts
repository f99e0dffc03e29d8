/** Compares each published number with the lab's number. Each comparison has two verdicts: one by the 95% interval, and a corrected one. */
import type { Claim, ClaimsOfExperiment } from "../plan/claims.ts";
import { type ClaimedNumber, numbersOf } from "./claimed-quantity.ts";
import { type Agreement, agreement, type Decided, decidedIn } from "./decided.ts";
import { type MeasuredRun, measuredRun } from "./measured-run.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export interface ScoreRow extends Omit<Decided, "run" | "claim" | "index"> {
  /** The verdict by a wider interval. In 95% of scores, all corrected verdicts are right together (Bonferroni). */
  corrected: Verdict;
}

export const tally = (rows: readonly ScoreRow[], of: "verdict" | "corrected"): Record<Verdict, number> => {
  const counts: Record<Verdict, number> = { holds: 0, "does not hold": 0, "cannot tell": 0 };
  for (const row of rows) counts[row[of]]++;
  return counts;
};

export const clocksAgree = (rows: readonly ScoreRow[]): Agreement<ScoreRow> =>
  agreement(
    rows.filter(({ clock }) => clock === "real"),
    rows.filter(({ clock }) => clock === "virtual"),
  );

/** Sorts table 10 after table 9. */
const order = new Intl.Collator("en", { numeric: true });
const placeOf = ({ document, at, clock }: Pick<ScoreRow, "document" | "at" | "clock">) => `${document} ${at} ${clock}`;

/** @throws Error if a claim names something that its run does not have */
export function scoreOf(experiments: readonly ClaimsOfExperiment[]): ScoreRow[] {
  const decided = experiments.flatMap((one) =>
    runsOf(one).flatMap((run) => decidedIn(one, run, (claim) => claim.source !== undefined)),
  );
  const known = decided.filter(({ number }) => number.interval !== null).length;
  const inOrder = decided.toSorted((a, b) => order.compare(placeOf(a), placeOf(b)));
  const wide = new Map<MeasuredRun, Map<Claim, ClaimedNumber[]>>();
  return inOrder.map(({ run, claim, index, ...row }) => {
    const own = wide.get(run) ?? new Map<Claim, ClaimedNumber[]>();
    const numbers = own.get(claim) ?? numbersOf(claim.quantity, run, 0.05 / Math.max(1, known));
    wide.set(run, own.set(claim, numbers));
    return { ...row, corrected: verdictOf(claim, numbers[index]!)! };
  });
}

function runsOf({ experiment, run, otherClock, claims, published }: ClaimsOfExperiment): MeasuredRun[] {
  const isScored = published || Object.values(claims).some(({ source, holds }) => source && holds);
  return isScored ? [run ?? experiment, otherClock].flatMap((name) => (name ? [measuredRun(name)] : [])) : [];
}
