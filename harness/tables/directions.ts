/** Finds cells in which our tables and the published ones disagree on which side is faster. */

import type { Interval } from "../statistics/resample.ts";
import { printed } from "./format.ts";
import type { GridTable } from "./grid.ts";
import type { TablesReport } from "./report.ts";
import { isComplete } from "./statistics.ts";
import type { SummaryTable } from "./summary.ts";

/** A geometric mean of our speedups, and the published mean. */
interface MeanPair {
  table: string;
  /** The cell, in the words of the table. */
  where: string;
  ours: number | null;
  published: number | null;
  /** 95% interval of our mean; null if it has none. */
  interval: Interval | null;
  /** False if our mean has fewer scenarios or loads than planned. A mean over all planned loads may be on the other side of 1. */
  complete: boolean;
}

export interface DirectionDifference extends MeanPair {
  ours: number;
  published: number;
}

/** Finds cells whose mean speedup is above 1 here and below 1 in the source, or the other way round. A mean that is printed as 1.0 is neither. */
export function directionDifferences({ tables }: Pick<TablesReport, "tables">): DirectionDifference[] {
  const pairs = tables.flatMap((table) => {
    if (table.kind === "grid") return gridPairs(table);
    return table.kind === "summary" ? summaryPairs(table) : []; // other tables have no published values
  });
  return pairs.filter((pair): pair is DirectionDifference => direction(pair.ours) * direction(pair.published) < 0);
}

const direction = (speedup: number | null): number => (speedup === null ? 0 : Math.sign(Number(printed(speedup)) - 1));

const gridPairs = ({ id, rows, columns }: GridTable): MeanPair[] =>
  rows.flatMap(({ label, cells }) =>
    cells.map((cell, index) => ({
      table: id,
      where: `${label}, ${columns[index]!.label}`,
      ours: cell.ours?.geometricMean ?? null,
      published: cell.published?.mean ?? null,
      interval: cell.ours?.interval ?? null,
      complete: isComplete(cell),
    })),
  );

const summaryPairs = ({ id, comparisons }: SummaryTable): MeanPair[] =>
  comparisons.flatMap((column) => [
    {
      table: id,
      where: `Comparison ${column.comparison} ${column.title}, average`,
      ours: column.geometricMean,
      published: column.published?.average ?? null,
      interval: column.interval,
      complete: isComplete(column),
    },
    {
      table: id,
      where: `Comparison ${column.comparison} ${column.title}, subset`,
      ours: column.subsetGeometricMean,
      published: column.published?.subsetAverage ?? null,
      interval: column.subsetInterval,
      complete: isComplete(column.subsetBasis),
    },
  ]);
