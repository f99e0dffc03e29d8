import { marksOf } from "./footnotes.ts";
import { alignedTable, plusMinus, unknown } from "./format.ts";
import type { MedianCell, MediansTable } from "./medians.ts";

/** Medians in milliseconds, gains with two digits: a row is one setting, not a mean of many. */
export function mediansMarkdown({ varying, common, base, columns, rows }: MediansTable): string {
  const header = [...varying, `${base}, ms`, ...columns.flatMap(({ title }) => [`${title}, ms`, "gain"])];
  const lines = rows.map(({ labels, baseMedianMs, cells }) => [
    ...labels,
    milliseconds(baseMedianMs),
    ...cells.flatMap((cell) => [milliseconds(cell.medianMs), gainText(cell)]),
  ]);
  const everywhere = common.length ? [`Everywhere: ${common.join(", ")}.`] : [];
  return [...everywhere, alignedTable([header, ...lines], varying.length)].join("\n\n");
}

const milliseconds = (median: number | null) => (median === null ? unknown : String(Math.round(median)));
const gainText = (cell: MedianCell) =>
  cell.gain === null ? unknown : cell.gain.toFixed(2) + marksOf(cell) + plusMinus(cell.gain, cell.interval);
