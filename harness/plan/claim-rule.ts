/** The rule that decides whether a claim holds: the interval of allowed values. */
import type { Interval } from "../statistics/resample.ts";

/** @returns null if the rule needs a published value and there is none */
export type ClaimRule = (published: number | null) => Interval | null;

export const ruleExamples =
  '"above 1", "below 1", "from 0.9 to 1.1", "within 10% of the published", "within 3 of the published"';

const number = /-?(?:\d+(?:\.\d+)?|\.\d+)/.source;
const oneEnd = new RegExp(`^(above|below) (${number})$`);
const bothEnds = new RegExp(`^from (${number}) to (${number})$`);
const around = new RegExp(`^within (${number})(%?) of the published$`);

/** @returns null for a text that is not a rule, such as "above 1.2.3" or "from 2 to 1" */
export function claimRule(text: string): ClaimRule | null {
  const [, side, limit] = oneEnd.exec(text) ?? [];
  if (side)
    return () => (side === "above" ? { low: Number(limit), high: Infinity } : { low: -Infinity, high: Number(limit) });
  const [, low, high] = bothEnds.exec(text)?.map(Number) ?? [];
  if (low !== undefined && high !== undefined) return low < high ? () => ({ low, high }) : null;
  const [, size, percent] = around.exec(text) ?? [];
  if (size === undefined || Number(size) < 0) return null;
  return (published) => {
    if (published === null) return null;
    const within = percent ? (Math.abs(published) * Number(size)) / 100 : Number(size);
    return { low: published - within, high: published + within };
  };
}
