/** Prints claims as a Markdown table, a row for each claim, with the numbers that decide it. */
import { markdownTable } from "markdown-table";
import type { Claim } from "../plan/claims.ts";
import type { ClaimedNumber } from "./claimed-quantity.ts";
import { limitsOf, publishedFor, verdictOf, verdicts } from "./verdict.ts";

export interface JudgedClaim {
  id: string;
  claim: Claim;
  numbers: readonly ClaimedNumber[];
}

export function claimsTable(claims: readonly JudgedClaim[]): string {
  const rows = claims.map(({ claim, numbers }) => [
    claim.says,
    claim.source ? `${claim.source.document}, ${claim.source.at}` : "this lab",
    numbers.map((number) => numberText(claim, number)).join("; "),
    claim.holds ?? "",
    verdictText(claim, numbers),
  ]);
  return markdownTable(
    [["claim", "source", "measured here (95% interval), [published]", "holds if", "verdict"], ...rows],
    {
      alignDelimiters: false,
    },
  );
}

/** Prints the verdict if all numbers have the same one; otherwise prints each verdict with the labels of its numbers. */
function verdictText(claim: Claim, numbers: readonly ClaimedNumber[]): string {
  const groups = verdicts
    .map((verdict) => ({ verdict, own: numbers.filter((number) => verdictOf(claim, number) === verdict) }))
    .filter(({ own }) => own.length > 0);
  return groups
    .map(({ verdict, own }) => {
      const word = verdict === "holds" ? verdict : `**${verdict}**`;
      return own.length === numbers.length ? word : `${word}: ${own.map(({ label }) => label).join("; ")}`;
    })
    .join(". ");
}

function numberText(claim: Claim, number: ClaimedNumber): string {
  const published = publishedFor(claim, number);
  const beside = published === null ? "" : ` [${published}${unitText(number.unit)}]`;
  return `${number.label && `${number.label}: `}${valueText(claim, number)}${beside}`;
}

/** Prints the value with its interval. The interval is left out if both of its ends round to the value. */
export function valueText(claim: Claim, number: ClaimedNumber): string {
  const { value, interval, bound, noInterval, unit } = number;
  if (value === null) return noInterval!;
  const shown = shownAs(value, interval, [...limitsOf(claim, number), ...neutral(number, claim)]);
  const [text, low, high] = [shown(value), interval && shown(interval.low), interval && shown(interval.high)];
  const whole = `${bound ? `${bound} ` : ""}${text}${unitText(unit)}`;
  if (noInterval) return `${whole} (no interval)`;
  if (interval!.high === Infinity) return `${whole} (at least ${low})`;
  if (interval!.low === -Infinity) return `${whole} (at most ${high})`;
  return low === text && high === text ? whole : `${whole} (${low} to ${high})`;
}

const unitText = (unit: string) => (unit === "" || unit === "%" ? unit : ` ${unit}`);

/** The most decimals of a number. An interval's end that still rounds to a limit is printed one unit of the last digit away from the limit. */
const mostDecimals = 5;

/** The value with which readers compare an interval even if the claim has no rule: 1 for a ratio, 0 for a difference. */
const neutral = ({ unit }: ClaimedNumber, { quantity }: Claim): number[] => {
  const isRatio = unit === "" && ("ratio" in quantity || !("difference" in quantity));
  const isDifference =
    unit === "%" || unit === "points" || "difference" in quantity || ("of" in quantity && quantity.of === "difference");
  return isDifference ? [0] : isRatio ? [1] : [];
};

/**
 * Returns a function that prints the value with about three significant digits, and the interval's ends with as many decimals as the value. If an end
 * would round to a limit that it does not equal, value and ends get more decimals, so that readers can derive the verdict from the printed numbers.
 */
function shownAs(
  value: number,
  interval: ClaimedNumber["interval"],
  limits: readonly number[],
): (value: number) => string {
  const size = Math.abs(value);
  const least = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const ends = interval ? [interval.low, interval.high] : [];
  const roundsTo = (decimals: number) => (limit: number) =>
    ends.some((end) => end !== limit && Number(end.toFixed(decimals)) === limit);
  let decimals = least;
  while (decimals < mostDecimals && limits.some(roundsTo(decimals))) decimals++;
  const rounded = (one: number) => one.toFixed(decimals).replace(/^-(0(?:\.0+)?)$/, "$1");
  return (one) => {
    const limit = limits.find((limit) => one !== limit && Number(rounded(one)) === limit);
    return ends.includes(one) && limit !== undefined
      ? rounded(limit + Math.sign(one - limit) * 10 ** -decimals)
      : rounded(one);
  };
}
