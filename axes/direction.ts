import type { DirectionParameters, LinkEvidence } from "../schema/evidence.ts";
import type { Direction } from "../schema/link.ts";
import type { Verdict } from "./axis.ts";

/** netem keeps times in nanoseconds and probabilities in 32 bits: what it says is what it was told, but for rounding. */
const rounding = 1e-4;

export const notKept = "version 2 did not keep what the shaper's kernel says of its link";

/** What the shaper's kernel says that one direction is, against what was asked. */
export function provesDirection(
  name: Direction,
  { is }: LinkEvidence[Direction],
  parameter: keyof DirectionParameters,
  asked: number,
): Verdict {
  if (!is) return { unseen: notKept };
  if (Math.abs(is[parameter] - asked) <= Math.abs(asked) * rounding) return "held";
  return { contradicts: [`the link has ${name} ${parameter} ${is[parameter]} instead of ${asked}`] };
}

/** The same of several; the first that does not hold. */
export const firstOf = (...verdicts: Verdict[]): Verdict => verdicts.find((verdict) => verdict !== "held") ?? "held";
