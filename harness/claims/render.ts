/** Claims as Markdown: a row each, with the number that decides it. */
import { markdownTable } from "markdown-table";
import type { Claim } from "../plan/claims.ts";
import type { ClaimedNumber } from "./quantity.ts";
import { publishedFor, type Verdict } from "./verdict.ts";

export interface JudgedClaim {
  id: string;
  claim: Claim;
  numbers: readonly ClaimedNumber[];
  verdict: Verdict | null;
}

export function claimsTable(claims: readonly JudgedClaim[]): string {
  const rows = claims.map(({ claim, numbers, verdict }) => [
    claim.says,
    claim.source ? `${claim.source.document}, ${claim.source.at}` : "this lab",
    numbers.map((number) => numberText(claim, number)).join("; "),
    verdict === null ? "" : verdict === "holds" ? verdict : `**${verdict}**`,
  ]);
  return markdownTable([["claim", "whose", "measured here (95% interval), [published]", "verdict"], ...rows]);
}

function numberText(claim: Claim, number: ClaimedNumber): string {
  const published = publishedFor(claim, number);
  const beside = published === null ? "" : ` [${published}${unitText(number.unit)}]`;
  return `${number.label && `${number.label}: `}${valueText(number)}${beside}`;
}

/** The value with its interval, whose ends are left out where they print as the value does. */
export function valueText({ value, interval, unit }: ClaimedNumber): string {
  if (value === null) return "no loads";
  const shown = shownAs(value);
  const [text, low, high] = [shown(value), interval && shown(interval.low), interval && shown(interval.high)];
  const range = low === null || high === null || (low === text && high === text) ? "" : ` (${low} to ${high})`;
  return `${text}${unitText(unit)}${range}`;
}

const unitText = (unit: string) => (unit === "" || unit === "%" ? unit : ` ${unit}`);

/** Three digits, and as many decimals for the interval's ends as for the value. */
function shownAs(value: number): (value: number) => string {
  const size = Math.abs(value);
  const decimals = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return (one) => one.toFixed(decimals).replace(/^-(0(?:\.0+)?)$/, "$1");
}
