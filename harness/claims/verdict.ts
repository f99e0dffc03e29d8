/** Whether a claim holds, by the 95% intervals of its numbers. */

import type { Claim } from "../plan/claims.ts";
import type { Interval } from "../statistics/resample.ts";
import type { ClaimedNumber } from "./quantity.ts";

export const verdicts = ["holds", "does not hold", "cannot tell"] as const;
export type Verdict = (typeof verdicts)[number];

/** Of the source, the value that stands beside this number; null where it has none. */
export function publishedFor({ published }: Claim, { key }: ClaimedNumber): number | null {
  return typeof published === "object" ? (published[key] ?? null) : (published ?? null);
}

/** Whether the claim holds for this one of its numbers; null for a claim without a rule, and without a published value that it names. */
export function verdictOf(claim: Claim, number: ClaimedNumber): Verdict | null {
  const allowed = claim.holds ? allowedBy(claim.holds, publishedFor(claim, number)) : null;
  if (!allowed) return null;
  return number.interval ? verdictOn(number.interval, allowed) : "cannot tell";
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
