/** Prints a summary line by line, in the order of the paper's Table 11: our numbers for each comparison, and the published numbers. */
import type { PublishedComparison } from "../plan/published.ts";
import type { Bound } from "../statistics/estimate.ts";
import type { Interval } from "../statistics/resample.ts";
import { marksOf } from "./footnotes.ts";
import { alignedTable, bothEnds, printedBound, share, unknown } from "./format.ts";
import { filterLabel } from "./scenario.ts";
import type { Basis } from "./statistics.ts";
import type { ComparisonSummary, Extreme, Share, SummaryTable } from "./summary.ts";

/** `condition`: the scenario of an extreme. `of`: the number of scenarios, if `value` counts some of them. */
interface SummaryValue {
  value: number | null;
  bound?: Bound | null | undefined;
  condition?: string | undefined;
  of?: number;
  undecided?: number | undefined;
  interval?: Interval | null;
  basis?: Basis;
}

interface SummaryLine {
  label: string;
  ours(column: ComparisonSummary): SummaryValue;
  published(column: PublishedComparison): SummaryValue;
}

/** Published numbers are never bounds. */
type AnyShare = Omit<Share, "undecided"> & Partial<Share>;
type AnyExtreme = Omit<Extreme, "bound"> & Partial<Extreme>;

const extreme = (which: "best" | "worst") => (column: { [key in typeof which]: AnyExtreme | null }) => ({
  value: column[which]?.speedup ?? null,
  bound: column[which]?.bound,
  condition: column[which]?.condition,
});
const atLeast = (which: "atLeast1" | "atLeast2") => (column: { [key in typeof which]: AnyShare | null }) => ({
  value: column[which]?.count ?? null,
  of: column[which]?.of ?? 0,
  undecided: column[which]?.undecided,
});
const notPublished = () => ({ value: null });

/** @param subset the scenarios of the last two lines, in words */
const summaryLines = (subset: string): SummaryLine[] => [
  { label: "Best speedup", ours: extreme("best"), published: extreme("best") },
  {
    label: "Average speedup",
    ours: ({ average: value, bounds }) => ({ value, bound: bounds.mean }),
    published: ({ average: value }) => ({ value }),
  },
  {
    label: "Geometric mean",
    ours: ({ geometricMean: value, interval, bounds }) => ({ value, interval, bound: bounds.geometricMean }),
    published: notPublished,
  },
  { label: "Worst speedup", ours: extreme("worst"), published: extreme("worst") },
  { label: "Scenarios with speedup >= 1", ours: atLeast("atLeast1"), published: atLeast("atLeast1") },
  { label: "Scenarios with speedup >= 2", ours: atLeast("atLeast2"), published: atLeast("atLeast2") },
  {
    label: `Average speedup (${subset})`,
    ours: ({ subsetAverage: value, subsetBasis: basis, subsetBounds }) => ({ value, basis, bound: subsetBounds.mean }),
    published: ({ subsetAverage: value }) => ({ value }),
  },
  {
    label: `Geometric mean (${subset})`,
    ours: ({ subsetGeometricMean: value, subsetInterval: interval, subsetBasis: basis, subsetBounds }) => ({
      value,
      bound: subsetBounds.geometricMean,
      interval,
      basis,
    }),
    published: notPublished,
  },
];

export function summaryMarkdown({ comparisons, subset }: SummaryTable, withPublished: boolean): string {
  const inSubset = filterLabel(subset);
  const lines = summaryLines(inSubset).slice(0, inSubset === "" ? -2 : undefined);
  const rows = lines.flatMap(({ label, ours, published }) => {
    const own = comparisons.map((column) => textOf({ basis: column, ...ours(column) }));
    if (!withPublished) return [[label, ...own]];
    const theirs = comparisons.map((column) => (column.published ? textOf(published(column.published)) : unknown));
    return [
      [label, "ours", ...own],
      ["", "paper", ...theirs],
    ];
  });
  const titles = comparisons.map(({ comparison, title }) => `Comparison ${comparison} ${title}`);
  return alignedTable([["", ...(withPublished ? [""] : []), ...titles], ...rows], withPublished ? 2 : 1);
}

function textOf({ value, bound, condition, of, undecided, interval, basis }: SummaryValue): string {
  if (value === null) return unknown;
  if (of !== undefined) return share({ count: value, of, ...(undecided ? { undecided } : {}) });
  const marked = `${printedBound(value, bound, interval === undefined ? 1 : 2)}${basis ? marksOf(basis) : ""}`;
  return condition === undefined ? `${marked}${bothEnds(interval ?? null)}` : `${marked} ${condition}`;
}
