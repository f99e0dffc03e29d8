import type { DifferenceCell, DifferencesTable } from "./differences.ts";
import { marksOf } from "./footnotes.ts";
import { alignedTable, plusMinus, threeDigits, unknown } from "./format.ts";

/** Each case beside the base: both sides' statistic, and how much better the option is, in percent. The base has one column where
 * it is the same beside every case; a load that is missing on one side alone can make it another. */
export function differencesMarkdown({ metric, unit, base, columns, heads, rows }: DifferencesTable): string {
  const isShared = rows.every(({ cells }) => new Set(cells.map(({ base }) => base)).size <= 1);
  const baseHead = `${base}, ${unit}`;
  const header = [
    ...heads,
    ...(isShared ? [baseHead] : []),
    ...columns.flatMap(({ title }) => [...(isShared ? [] : [baseHead]), `${title}, ${unit}`, "better, %"]),
  ];
  const lines = rows.map(({ labels, cells }) => [
    ...labels,
    ...(isShared ? [baseText(cells[0]!)] : []),
    ...cells.flatMap((cell) => [...(isShared ? [] : [baseText(cell)]), optionText(cell), betterText(cell)]),
  ]);
  return [`${metric[0]!.toUpperCase()}${metric.slice(1)}.`, alignedTable([header, ...lines], heads.length)].join(
    "\n\n",
  );
}

const baseText = (cell: DifferenceCell) => shown(cell.base);
const optionText = (cell: DifferenceCell) => shown(cell.option);

function betterText(cell: DifferenceCell): string {
  const { betterPercent, interval } = cell;
  return betterPercent === null
    ? unknown
    : betterPercent.toFixed(1) + marksOf(cell) + plusMinus(betterPercent, interval);
}

const shown = (value: number | null) => (value === null ? unknown : threeDigits(value));
