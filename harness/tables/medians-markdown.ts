import { endlessMark, marksOf } from "./footnotes.ts";
import { alignedTable, bothEnds, boundMark, neverEnded, unknown } from "./format.ts";
import type { MedianCell, MediansTable } from "./medians.ts";

export function mediansMarkdown({ varying, common, baseline, columns, rows }: MediansTable): string {
  const header = [...varying, `${baseline}, ms`, ...columns.flatMap(({ title }) => [`${title}, ms`, "speedup"])];
  const lines = rows.map(({ labels, baselineMedianMs, cells }) => [
    ...labels,
    milliseconds(baselineMedianMs),
    ...cells.flatMap((cell) => [milliseconds(cell.medianMs), speedupText(cell)]),
  ]);
  const everywhere = common.length ? [`Everywhere: ${common.join(", ")}.`] : [];
  return [...everywhere, alignedTable([header, ...lines], varying.length)].join("\n\n");
}

const milliseconds = (median: number | null) =>
  median === null ? unknown : median === Infinity ? neverEnded : String(Math.round(median));
const speedupText = (cell: MedianCell) =>
  cell.speedup === null
    ? unknown + (cell.endlessScenarios ? endlessMark : "")
    : boundMark(cell.bound) + cell.speedup.toFixed(2) + marksOf(cell) + bothEnds(cell.interval);
