import type { DifferenceCell, DifferencesTable } from "./differences.ts";
import { marksOf } from "./footnotes.ts";
import { alignedTable, plusMinus, unknown } from "./format.ts";
import type { PublishedDifference } from "./published.ts";

/** Each case beside the base: both sides' statistic, and how much better the option is, in percent. */
export function differencesMarkdown({ metric, unit, base, columns, heads, rows }: DifferencesTable): string {
  const header = [...heads, ...columns.flatMap(({ title }) => [`${base}, ${unit}`, `${title}, ${unit}`, "better, %"])];
  const lines = rows.map(({ labels, cells }) => [...labels, ...cells.flatMap((cell) => cellTexts(cell))]);
  return [`${metric[0]!.toUpperCase()}${metric.slice(1)}.`, alignedTable([header, ...lines], heads.length)].join(
    "\n\n",
  );
}

function cellTexts(cell: DifferenceCell): string[] {
  const { base, option, betterPercent, interval, published } = cell;
  const beside = (of: keyof PublishedDifference) => (published ? ` (${published[of] ?? unknown})` : "");
  const better = betterPercent === null ? unknown : betterPercent.toFixed(1) + marksOf(cell);
  return [
    `${shown(base)}${beside("base")}`,
    `${shown(option)}${beside("option")}`,
    `${better}${betterPercent === null ? "" : plusMinus(betterPercent, interval)}${beside("betterPercent")}`,
  ];
}

/** Three digits are enough for small numbers, and no fraction for large ones. */
const shown = (value: number | null) =>
  value === null ? unknown : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
