import type { ClaimsOfExperiment } from "../plan/claims.ts";
import { measuredRun } from "./measured-run.ts";
import { numbersOf } from "./quantity.ts";
import type { JudgedClaim } from "./render.ts";

/**
 * Computes an experiment's claims from the loads of a run.
 * @param folder the run, if not the one that the claims' file names. It may lack loads; the other has loads for every claim
 */
export function judgeClaims({ experiment, run: own, claims }: ClaimsOfExperiment, folder?: string): JudgedClaim[] {
  if (Object.keys(claims).length === 0) return [];
  const run = measuredRun(folder ?? own ?? experiment);
  return Object.entries(claims).map(([id, claim]) => {
    try {
      const numbers = numbersOf(claim.quantity, run);
      const empty = numbers.find(({ value }) => value === null);
      if (numbers.length === 0 || (empty && folder === undefined))
        throw new Error(empty?.noInterval ?? "no condition matches its quantity");
      return { id, claim, numbers };
    } catch (error) {
      throw new Error(`experiments/${experiment}.claims.yml: ${id}: ${(error as Error).message}`);
    }
  });
}
