import { markdownTable } from "markdown-table";
import { inMarkdown } from "../../schema/foreign-words.ts";
import type { Bound } from "../statistics/estimate.ts";
import type { Interval } from "../statistics/resample.ts";

/** Prints a speedup with one decimal, as in the paper. A mean with an interval has two decimals, as the interval's ends do. */
export const printed = (speedup: number, digits: 1 | 2 = 1): string => speedup.toFixed(digits);

/** Says how many of the loads that count are doubtful, and why. @param number the number as it is printed */
export const flaggedInWords = (number: number | string): string => `${number} invalid, flagged or never confirmed`;

export const unknown = "–";

export const printedBound = (speedup: number | null, bound: Bound | null | undefined, digits: 1 | 2 = 1): string =>
  speedup === null ? unknown : boundMark(bound) + printed(speedup, digits);

export const orUnknown = (speedup: number | null | undefined): string => (speedup == null ? unknown : printed(speedup));

export const boundMark = (bound: Bound | null | undefined): string =>
  bound === "at least" ? "≥" : bound === "at most" ? "≤" : "";

/** The text for a median if half of the loads or more never ended. */
export const neverEnded = "never ended";

/** Prints three significant digits of small numbers, and no fraction of large numbers. */
export const threeDigits = (value: number): string =>
  value === Infinity ? neverEnded : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

/** Prints a share as the paper's Table 11 does: "40 of 72 (56%)". */
export const share = ({ count, of, undecided = 0 }: { count: number; of: number; undecided?: number }): string =>
  of === 0
    ? unknown
    : `${boundMark(undecided ? "at least" : null)}${count} of ${of} (${Math.round((100 * count) / of)}%)`;

/**
 * Prints both ends of a 95% interval, or the known end if the other is open, in brackets, because published values are in parentheses.
 * @param least the lower end counts as open if it is at or below this value; by default 0, because every speedup is above 0
 */
export function bothEnds(interval: Interval | null, least = 0, shown = twoDigits): string {
  if (interval === null) return "";
  const { low, high } = interval;
  if (high === Infinity) return ` [≥${shown(low)}]`;
  if (low <= least) return ` [≤${shown(high)}]`;
  return ` [${shown(low)} to ${shown(high)}]`;
}
const twoDigits = (value: number) => value.toFixed(2);

/** Prints a Markdown table: label columns to the left, numbers to the right. Headings and labels are escaped: other people's text may have markup. */
export const alignedTable = (rows: string[][], labelColumns: number): string =>
  markdownTable(
    rows.map((row, line) => row.map((cell, column) => (line === 0 || column < labelColumns ? asLabel(cell) : cell))),
    { align: rows[0]!.map((_, index) => (index < labelColumns ? "l" : "r")) },
  );

const asLabel = (cell: string) => (cell === "" ? "" : inMarkdown(cell));
