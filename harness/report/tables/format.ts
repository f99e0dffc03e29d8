/** Formats numbers for the tables. */
import { markdownTable } from "markdown-table";
import type { Interval } from "../../statistics/resample.ts";

/** A speedup with one digit, as in the paper. */
export const printed = (speedup: number): string => speedup.toFixed(1);

/** Printed in place of an unknown number. */
export const unknown = "–";

export const orUnknown = (speedup: number | null | undefined): string => (speedup == null ? unknown : printed(speedup));

/** Three digits are enough for small numbers, and no fraction for large ones. */
export const threeDigits = (value: number): string =>
  value === Infinity ? "unbounded" : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

/** A share as the paper's Table 11 prints it: "40 of 72 (56%)". */
export const share = ({ count, of }: { count: number; of: number }): string =>
  of === 0 ? unknown : `${count} of ${of} (${Math.round((100 * count) / of)}%)`;

/** The distance to the farther end of the interval, which is not symmetric, so that ± never promises too much. CSV and JSON have both ends. */
export const plusMinus = (mean: number, interval: Interval | null): string =>
  interval === null ? "" : ` ±${Math.max(mean - interval.low, interval.high - mean).toFixed(2)}`;

/** A Markdown table: label columns to the left, numbers to the right. */
export const alignedTable = (rows: string[][], labelColumns: number): string =>
  markdownTable(rows, { align: rows[0]!.map((_, index) => (index < labelColumns ? "l" : "r")) });
