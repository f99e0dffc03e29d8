/** Finds the claims' numbers that have a verdict in a run, and compares the verdicts of two runs. */
import type { Clock } from "../../schema/records.ts";
import type { Claim, ClaimsOfExperiment } from "../plan/claims.ts";
import { type ClaimedNumber, numbersOf } from "./claimed-quantity.ts";
import { valueText } from "./claims-markdown.ts";
import type { MeasuredRun } from "./measured-run.ts";
import { publishedClaims } from "./published-claims.ts";
import { publishedFor, type Verdict, verdictOf } from "./verdict.ts";

export interface Decided {
  run: MeasuredRun;
  claim: Claim;
  /** The claim's name in the experiment. */
  id: string;
  /** The number's position among the claim's numbers. */
  index: number;
  experiment: string;
  clock: Clock;
  /** The document that makes the claim, and the place in it. Both are empty for the lab's own claims. */
  document: string;
  at: string;
  says: string;
  published: number | null;
  number: ClaimedNumber;
  /** The number with its 95% interval, as text. */
  here: string;
  verdict: Verdict;
}

/** Finds the numbers of claims and published tables that have a verdict. @throws Error if a claim names something that the run lacks */
export function decidedIn(own: ClaimsOfExperiment, run: MeasuredRun, isWanted: (claim: Claim) => boolean): Decided[] {
  const claims = Object.entries({ ...own.claims, ...publishedClaims(own, run) });
  return claims.flatMap(([id, claim]) => {
    const { source, says, quantity, holds } = claim;
    if (!holds || !isWanted(claim)) return [];
    return numbersOf(quantity, run).flatMap((number, index) => {
      const verdict = verdictOf(claim, number);
      if (!verdict) return [];
      const { document, at } = source ?? { document: "", at: "" };
      const published = publishedFor(claim, number);
      const here = valueText(claim, number);
      const { experiment } = own;
      return [
        { run, claim, id, index, experiment, clock: run.clock, document, at, says, published, number, here, verdict },
      ];
    });
  });
}

type Row = Pick<Decided, "experiment" | "id" | "verdict"> & { number: Pick<ClaimedNumber, "key"> };

export interface Agreement<R> {
  /** How many numbers have the same verdict in both runs, other than "cannot tell". */
  alike: number;
  /** Numbers with the verdict "holds" in one run and "does not hold" in the other. */
  opposite: readonly (readonly [R, R])[];
  /** Numbers for which the verdict of exactly one run is "cannot tell". */
  onlyOne: readonly (readonly [R, R])[];
}

/** Compares the verdicts of two runs, for the numbers that both runs have. */
export function agreement<R extends Row>(first: readonly R[], second: readonly R[]): Agreement<R> {
  const keyOf = ({ experiment, id, number }: R) => [experiment, id, number.key].join("\n");
  const others = new Map(second.map((row) => [keyOf(row), row]));
  const pairs = first.flatMap((row): [R, R][] => {
    const other = others.get(keyOf(row));
    return other ? [[row, other]] : [];
  });
  const isOpen = ({ verdict }: R) => verdict === "cannot tell";
  const decided = pairs.filter(([one, other]) => !isOpen(one) && !isOpen(other));
  return {
    alike: decided.filter(([one, other]) => one.verdict === other.verdict).length,
    opposite: decided.filter(([one, other]) => one.verdict !== other.verdict),
    onlyOne: pairs.filter(([one, other]) => isOpen(one) !== isOpen(other)),
  };
}
