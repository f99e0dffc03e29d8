/** Decides whether a claim holds, from the intervals of its numbers. */

import { claimRule } from "../plan/claim-rule.ts";
import type { Claim } from "../plan/claims.ts";
import type { Interval } from "../statistics/resample.ts";
import type { ClaimedNumber } from "./claimed-quantity.ts";

export const verdicts = ["holds", "does not hold", "cannot tell"] as const;
export type Verdict = (typeof verdicts)[number];

/** Returns the published value to compare this number with, or null. */
export function publishedFor({ published }: Claim, { key }: ClaimedNumber): number | null {
  return typeof published === "object" ? (published[key] ?? null) : (published ?? null);
}

/** Judges a claim by one of its numbers. Returns null if the claim has no rule, or if its rule needs a published value that is missing. */
export function verdictOf(claim: Claim, number: ClaimedNumber): Verdict | null {
  const allowed = allowedFor(claim, number);
  if (!allowed) return null;
  return number.interval ? verdictOn(number.interval, allowed) : "cannot tell";
}

function verdictOn({ low, high }: Interval, allowed: Interval): Verdict {
  if (allowed.low <= low && high <= allowed.high) return "holds";
  return high < allowed.low || allowed.high < low ? "does not hold" : "cannot tell";
}

/** Returns the finite ends of the range that the claim allows for this number. */
export function limitsOf(claim: Claim, number: ClaimedNumber): number[] {
  const allowed = allowedFor(claim, number);
  return allowed ? [allowed.low, allowed.high].filter(Number.isFinite) : [];
}

const allowedFor = (claim: Claim, number: ClaimedNumber): Interval | null =>
  (claim.holds && claimRule(claim.holds)?.(publishedFor(claim, number))) || null;
