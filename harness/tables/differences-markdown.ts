import type { Bound } from "../statistics/estimate.ts";
import type { DifferenceCell, DifferencesTable } from "./differences.ts";
import { marksOf } from "./footnotes.ts";
import { alignedTable, bothEnds, boundMark, threeDigits, unknown } from "./format.ts";

/** The baseline has one column, unless its numbers differ: a comparison leaves out scenarios in which its own option lacks loads. */
export function differencesMarkdown({ metric, unit, baseline, columns, heads, rows }: DifferencesTable): string {
  const isShared = rows.every(({ cells }) => new Set(cells.map(({ baseline }) => baseline)).size <= 1);
  const baselineHead = `${baseline}, ${unit}`;
  const header = [
    ...heads,
    ...(isShared ? [baselineHead] : []),
    ...columns.flatMap(({ title }) => [...(isShared ? [] : [baselineHead]), `${title}, ${unit}`, "better, %"]),
  ];
  const lines = rows.map(({ labels, cells }) => [
    ...labels,
    ...(isShared ? [baselineText(cells[0]!)] : []),
    ...cells.flatMap((cell) => [...(isShared ? [] : [baselineText(cell)]), optionText(cell), betterText(cell)]),
  ]);
  return [`${metric[0]!.toUpperCase()}${metric.slice(1)}.`, alignedTable([header, ...lines], heads.length)].join(
    "\n\n",
  );
}

const baselineText = (cell: DifferenceCell) => shown(cell.baseline, cell.baselineBound);
const optionText = (cell: DifferenceCell) => shown(cell.option, cell.optionBound);

function betterText(cell: DifferenceCell): string {
  const { betterPercent, bound, interval } = cell;
  return betterPercent === null
    ? unknown + marksOf(cell)
    : boundMark(bound) + betterPercent.toFixed(1) + marksOf(cell) + bothEnds(interval, -Infinity);
}

const shown = (value: number | null, bound: Bound | null) =>
  value === null ? unknown : boundMark(bound) + threeDigits(value);
