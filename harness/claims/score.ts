/**
 * Compares each published number with ours: does it hold here? Each number has two verdicts, one by its 95% interval, and one by an
 * interval so wide that all verdicts of a score are right in 95% of scores (Bonferroni).
 */
import type { Clock } from "../../schema/records.ts";
import type { Claim, ClaimsOfExperiment } from "../plan/claims.ts";
import { type ClaimedNumber, numbersOf } from "./claimed-quantity.ts";
import { valueText } from "./claims-markdown.ts";
import { type MeasuredRun, measuredRun } from "./measured-run.ts";
import { publishedClaims } from "./published-claims.ts";
import { publishedFor, type Verdict, verdictOf } from "./verdict.ts";

export interface ScoreRow {
  experiment: string;
  clock: Clock;
  document: string;
  at: string;
  says: string;
  published: number | null;
  number: ClaimedNumber;
  /** The number with its 95% interval, as text. */
  here: string;
  verdict: Verdict;
  /** The verdict by the interval that is corrected for the number of rows. */
  corrected: Verdict;
}

/** Counts the verdicts of these rows. */
export const tally = (rows: readonly ScoreRow[], of: "verdict" | "corrected"): Record<Verdict, number> => {
  const counts: Record<Verdict, number> = { holds: 0, "does not hold": 0, "cannot tell": 0 };
  for (const row of rows) counts[row[of]]++;
  return counts;
};

/** Counts the numbers whose verdicts on both clocks agree or differ, by the 95% intervals. */
export function clocksAgree(rows: readonly ScoreRow[]): Record<"alike" | "differently" | "on one clock", number> {
  const counts = { alike: 0, differently: 0, "on one clock": 0 };
  const keyOf = ({ experiment, at, says, number }: ScoreRow) => [experiment, at, says, number.key].join("\n");
  const others = new Map(rows.filter(({ clock }) => clock === "virtual").map((row) => [keyOf(row), row]));
  for (const row of rows.filter(({ clock }) => clock === "real")) {
    const other = others.get(keyOf(row));
    const open = [row, other].filter((one) => one?.verdict === "cannot tell").length;
    if (!other || open === 2) continue;
    counts[open === 1 ? "on one clock" : row.verdict === other.verdict ? "alike" : "differently"]++;
  }
  return counts;
}

/** Sorts table 10 after table 9. */
const order = new Intl.Collator("en", { numeric: true });
const placeOf = ({ document, at, clock }: Pick<ScoreRow, "document" | "at" | "clock">) => `${document} ${at} ${clock}`;

/** @throws Error if a claim names something that its run does not have */
export function scoreOf(experiments: readonly ClaimsOfExperiment[]): ScoreRow[] {
  const decided = experiments.flatMap((one) => runsOf(one).flatMap((run) => decidedIn(one, run)));
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

/** The numbers that have a verdict, of all claims from documents. */
function decidedIn(own: ClaimsOfExperiment, run: MeasuredRun) {
  const claims: Claim[] = [...Object.values(own.claims), ...Object.values(publishedClaims(own, run))];
  return claims.flatMap((claim) => {
    const { source, says, quantity } = claim;
    if (!source) return [];
    return numbersOf(quantity, run).flatMap((number, index) => {
      const verdict = verdictOf(claim, number);
      if (!verdict) return [];
      const { document, at } = source;
      const published = publishedFor(claim, number);
      return [
        {
          run,
          claim,
          index,
          experiment: own.experiment,
          clock: run.clock,
          document,
          at,
          says,
          published,
          number,
          here: valueText(claim, number),
          verdict,
        },
      ];
    });
  });
}
