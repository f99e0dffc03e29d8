/** The summary of cases as Markdown: the lines of the paper's Table 11, each ours above the paper's. */

import type { Interval } from "../../statistics/resample.ts";
import { marksOf } from "./footnotes.ts";
import { alignedTable, orUnknown, plusMinus, printed, share, unknown } from "./format.ts";
import { filterLabel } from "./setting.ts";
import type { Basis } from "./statistics.ts";
import type { CaseSummary, Extreme, SummaryTable } from "./summary.ts";

interface Line {
  label: string;
  ours(column: CaseSummary): string;
  /** Null where it cannot be read. */
  published(column: NonNullable<CaseSummary["published"]>): string | null;
}

export function summaryMarkdown({ cases, subset }: SummaryTable, withPublished: boolean): string {
  const header = ["", ...(withPublished ? [""] : []), ...cases.map((column) => `Case ${column.case} ${column.title}`)];
  const rows = linesOf(filterLabel(subset)).flatMap((line) => {
    const ours = cases.map((column) => line.ours(column));
    if (!withPublished) return [[line.label, ...ours]];
    const paper = cases.map(({ published }) => (published && line.published(published)) ?? unknown);
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
      label: "Best gain",
      ours: (column) => extreme(column.best, column) ?? unknown,
      published: ({ best }) => extreme(best),
    },
    {
      label: "Average gain",
      ours: (column) => average(column.average, null, column),
      published: (column) => orUnknown(column.average),
    },
    {
      label: "Geometric mean",
      ours: (column) => average(column.geometricMean, column.interval, column),
      published: () => null,
    },
    {
      label: "Worst gain",
      ours: (column) => extreme(column.worst, column) ?? unknown,
      published: ({ worst }) => extreme(worst),
    },
    {
      label: "Settings with gain >= 1",
      ours: ({ atLeast1 }) => share(atLeast1),
      published: ({ atLeast1 }) => atLeast1 && share(atLeast1),
    },
    {
      label: "Settings with gain >= 2",
      ours: ({ atLeast2 }) => share(atLeast2),
      published: ({ atLeast2 }) => atLeast2 && share(atLeast2),
    },
  ];
  return subset === ""
    ? lines
    : [
        ...lines,
        {
          label: `Average gain (${subset})`,
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
  value && `${printed(value.gain)}${mark(basis)} ${value.condition}`;

const average = (value: number | null, interval: Interval | null, basis: Basis): string =>
  value === null ? unknown : `${printed(value)}${mark(basis)}${plusMinus(value, interval)}`;
