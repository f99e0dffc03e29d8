/** The summary of comparisons as Markdown: the lines of the paper's Table 11, each ours above the paper's. */

import type { Interval } from "../../statistics/resample.ts";
import { marksOf } from "./footnotes.ts";
import { alignedTable, orUnknown, plusMinus, printed, share, unknown } from "./format.ts";
import { filterLabel } from "./scenario.ts";
import type { Basis } from "./statistics.ts";
import type { ComparisonSummary, Extreme, SummaryTable } from "./summary.ts";

interface Line {
  label: string;
  ours(column: ComparisonSummary): string;
  /** Null where it cannot be read. */
  published(column: NonNullable<ComparisonSummary["published"]>): string | null;
}

export function summaryMarkdown({ comparisons, subset }: SummaryTable, withPublished: boolean): string {
  const header = [
    "",
    ...(withPublished ? [""] : []),
    ...comparisons.map((column) => `Comparison ${column.comparison} ${column.title}`),
  ];
  const rows = linesOf(filterLabel(subset)).flatMap((line) => {
    const ours = comparisons.map((column) => line.ours(column));
    if (!withPublished) return [[line.label, ...ours]];
    const paper = comparisons.map(({ published }) => (published && line.published(published)) ?? unknown);
    return [
      [line.label, "ours", ...ours],
      ["", "paper", ...paper],
    ];
  });
  return alignedTable([header, ...rows], withPublished ? 2 : 1);
}

/** In the order of Table 11. */
function linesOf(subset: string): Line[] {
  const lines: Line[] = [
    {
      label: "Best speedup",
      ours: (column) => extreme(column.best, column) ?? unknown,
      published: ({ best }) => extreme(best),
    },
    {
      label: "Average speedup",
      ours: (column) => average(column.average, null, column),
      published: (column) => orUnknown(column.average),
    },
    {
      label: "Geometric mean",
      ours: (column) => average(column.geometricMean, column.interval, column),
      published: () => null,
    },
    {
      label: "Worst speedup",
      ours: (column) => extreme(column.worst, column) ?? unknown,
      published: ({ worst }) => extreme(worst),
    },
    {
      label: "Scenarios with speedup >= 1",
      ours: ({ atLeast1 }) => share(atLeast1),
      published: ({ atLeast1 }) => atLeast1 && share(atLeast1),
    },
    {
      label: "Scenarios with speedup >= 2",
      ours: ({ atLeast2 }) => share(atLeast2),
      published: ({ atLeast2 }) => atLeast2 && share(atLeast2),
    },
  ];
  return subset === ""
    ? lines
    : [
        ...lines,
        {
          label: `Average speedup (${subset})`,
          ours: ({ subsetAverage, subsetBasis }) => average(subsetAverage, null, subsetBasis),
          published: ({ subsetAverage }) => orUnknown(subsetAverage),
        },
        {
          label: `Geometric mean (${subset})`,
          ours: ({ subsetGeometricMean, subsetInterval, subsetBasis }) =>
            average(subsetGeometricMean, subsetInterval, subsetBasis),
          published: () => null,
        },
      ];
}

const mark = (basis: Basis | undefined): string => (basis ? marksOf(basis) : "");

const extreme = (value: Extreme | null, basis?: Basis): string | null =>
  value && `${printed(value.speedup)}${mark(basis)} ${value.condition}`;

const average = (value: number | null, interval: Interval | null, basis: Basis): string =>
  value === null ? unknown : `${printed(value)}${mark(basis)}${plusMinus(value, interval)}`;
