import { type ClaimsOfExperiment, isAboutOneRun, readClaims } from "../plan/claims.ts";
import { numbersOf } from "./claimed-quantity.ts";
import type { JudgedClaim } from "./claims-markdown.ts";
import { measuredRun } from "./measured-run.ts";

/** Computes an experiment's claims from its run. With `folder`, uses the run there, allows missing loads, and leaves out claims that name a run. */
export function judgeClaims({ experiment, run: own, claims }: ClaimsOfExperiment, folder?: string): JudgedClaim[] {
  if (Object.keys(claims).length === 0) return [];
  const run = measuredRun(folder ?? own ?? experiment);
  const about = Object.entries(claims).filter(([, { quantity }]) => folder === undefined || isAboutOneRun(quantity));
  return about.map(([id, claim]) => {
    try {
      const numbers = numbersOf(claim.quantity, run);
      const empty = numbers.find(({ absent }) => absent);
      if (numbers.length === 0 || (empty && folder === undefined))
        throw new Error(empty?.noInterval ?? "the run has no number for the claim's quantity");
      return { id, claim, numbers };
    } catch (error) {
      throw new Error(`experiments/${experiment}.claims.yml: ${id}: ${(error as Error).message}`);
    }
  });
}

/** Returns a function that judges an experiment's claims by a run, and caches the results; null means that the experiment has no claims. */
export function claimsByRun(): (experiment: string, run?: string) => readonly JudgedClaim[] | null {
  const judged = new Map<string, readonly JudgedClaim[] | null>();
  return (experiment, run) => {
    const key = `${experiment}@${run ?? ""}`;
    const claims = readClaims(experiment);
    if (!judged.has(key)) judged.set(key, claims && judgeClaims(claims, run));
    return judged.get(key)!;
  };
}
