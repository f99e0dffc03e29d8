/** Whether a claim holds, by the 95% intervals of its numbers. */

import type { Claim } from "../plan/claims.ts";
import type { Interval } from "../statistics/resample.ts";
import type { ClaimedNumber } from "./quantity.ts";

export type Verdict = "holds" | "does not hold" | "cannot tell";

/** Of the source, the value that stands beside this number; null where it has none. */
export function publishedFor({ published }: Claim, { key }: ClaimedNumber): number | null {
  return typeof published === "object" ? (published[key] ?? null) : (published ?? null);
}

/** null for a claim without a rule. One number that contradicts the claim is enough; it takes all of them to hold. */
export function verdictOf(claim: Claim, numbers: readonly ClaimedNumber[]): Verdict | null {
  if (!claim.holds) return null;
  const verdicts = numbers.flatMap((number): Verdict[] => {
    const allowed = allowedBy(claim.holds!, publishedFor(claim, number));
    if (!allowed) return [];
    return [number.interval ? verdictOn(number.interval, allowed) : "cannot tell"];
  });
  if (verdicts.includes("does not hold")) return "does not hold";
  return verdicts.length && verdicts.every((one) => one === "holds") ? "holds" : "cannot tell";
}

/** The interval has to lie inside or outside of what is allowed; what has both cannot be told. */
function verdictOn({ low, high }: Interval, allowed: Interval): Verdict {
  if (allowed.low <= low && high <= allowed.high) return "holds";
  return high < allowed.low || allowed.high < low ? "does not hold" : "cannot tell";
}

/** @returns null where the rule is about the published value and this number has none */
function allowedBy(rule: string, published: number | null): Interval | null {
  const [first = Number.NaN, second = Number.NaN] = [...rule.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number);
  if (rule.startsWith("above")) return { low: first, high: Infinity };
  if (rule.startsWith("below")) return { low: -Infinity, high: first };
  if (rule.startsWith("from")) return { low: first, high: second };
  if (published === null) return null;
  const within = rule.includes("%") ? (Math.abs(published) * first) / 100 : first;
  return { low: published - within, high: published + within };
}
