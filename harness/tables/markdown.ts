/** Prints the tables as Markdown that is also readable in a terminal. As in the paper, a cell's numbers are in lines below each other. */

import { inMarkdown } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import { differencesMarkdown } from "./differences-markdown.ts";
import { directionDifferences } from "./directions.ts";
import { factorsMarkdown } from "./factors-markdown.ts";
import { incompleteMark, markedFootnotes, marksOf } from "./footnotes.ts";
import { alignedTable, bothEnds, flaggedInWords, orUnknown, printed, printedBound, unknown } from "./format.ts";
import type { Cell, GridTable } from "./grid.ts";
import { mediansMarkdown } from "./medians-markdown.ts";
import { modesSentence } from "./modes-markdown.ts";
import type { AnyTable, TablesReport } from "./report.ts";
import { filterLabel } from "./scenario.ts";
import { type CellStatistic, cellStatistics } from "./statistics.ts";
import { summaryMarkdown } from "./summary-lines.ts";

export function renderMarkdown(report: TablesReport): string {
  const withPublished = report.publishedSource !== null;
  const sections = report.tables.flatMap((table) => [
    `## Table ${inMarkdown(table.id)}. ${inMarkdown(table.title)}`,
    tableMarkdown(table, withPublished),
    ...markedFootnotes(table),
  ]);
  return `${[`# ${inMarkdown(report.title)}`, behind(report), ...definitions(report), legend(report), ...leftOut(report), ...sections, ...directions(report)].join("\n\n")}\n`;
}

function tableMarkdown(table: AnyTable, withPublished: boolean): string {
  if (table.kind === "medians") return mediansMarkdown(table);
  if (table.kind === "differences") return differencesMarkdown(table);
  if (table.kind === "factors") return factorsMarkdown(table);
  return table.kind === "grid" ? gridMarkdown(table, withPublished) : summaryMarkdown(table, withPublished);
}

/** Describes the numbers of blocks, loads and attempts that the tables are computed from, and the clock. */
function behind({ counts, clock, clients, digest }: TablesReport): string {
  const extra = [
    counts.unmeasured > 0 ? `, ${counts.unmeasured} without the metric (left out)` : "",
    counts.censored > 0 ? `, ${counts.censored} with only a lower bound of the metric` : "",
    counts.repeated > 0 ? `, ${counts.repeated} repeated (left out)` : "",
    counts.unfinished > 0
      ? `, ${counts.unfinished} never ended (longer than the time-out, so numbers computed from them may be bounds: ≥, ≤)`
      : "",
    counts.flagged > 0 ? `, ${flaggedInWords(counts.flagged)}` : "",
    counts.unplanned > 0 ? `, ${counts.unplanned} of other conditions (left out)` : "",
  ].join("");
  const by = clients.length ? `; client ${clients.map(inMarkdown).join(", ")}` : "";
  const ofLines = digest === null ? "" : `\nDigest of the run's lines: ${digest}`;
  return (
    `${counted(counts.blocks, "block")}, ${counts.loads} of ${counted(counts.plannedLoads, "load")}, ` +
    `${counted(counts.failed, "failed attempt")}${extra}; ${clock} clock${by}.${ofLines}`
  );
}

const definitions = ({ definedBy }: TablesReport): string[] => (definedBy === undefined ? [] : [inMarkdown(definedBy)]);

/** Returns sentences about comparisons and scenarios that the experiment has and this run lacks. */
const leftOut = ({ leftOut: sentences, partial, publishedSource }: TablesReport): string[] => [
  ...sentences.map(inMarkdown),
  ...(partial && publishedSource !== null
    ? [
        "This run has fewer or other scenarios than the experiment: a published value is printed only where a cell has the same scenarios.",
      ]
    : []),
];

function legend({ publishedSource, metric, unit, noIntervals, tables, modes, conditions }: TablesReport): string {
  const has = (...kinds: AnyTable["kind"][]) => tables.some(({ kind }) => kinds.includes(kind));
  const cells = has("grid", "summary");
  const better = ["ms", "RTT"].includes(unit) ? "is faster" : "has less";
  const lines = [
    "A comparison has two sides, the baseline and the option; a scenario is what both sides share, such as the page and the link.",
    ...(cells || has("medians") || tables.some((table) => table.kind === "factors" && table.cells === "speedup")
      ? [`Speedup = median ${metric} of the baseline / of the option, in one scenario: above 1 the option ${better}.`]
      : []),
    ...(cells
      ? [
          "A cell has the maximum, mean, minimum and geometric mean of its scenarios' speedups. Conclusions rest on the geometric mean: of the",
          "speedups 2 and 1/2 it is 1, while the mean is 1.25. The maximum of many uncertain speedups is too high, their minimum too low.",
        ]
      : []),
    ...(has("differences")
      ? ["Better, %: by how much the option is better than the baseline, in percent of the baseline."]
      : []),
    noIntervals
      ? `There are no intervals: ${noIntervals}.`
      : `In brackets: the 95% interval${cells ? " of the geometric mean" : ""}, from a bootstrap over blocks (docs/statistics.md).`,
  ];
  return [
    ...lines,
    ...(publishedSource ? [`In parentheses: the value in ${inMarkdown(publishedSource)}; ${unknown} is unknown.`] : []),
    ...(modes.length ? [modesSentence(modes, conditions.length)] : []),
    "Each condition's median, spread and number of loads: [conditions.md](conditions.md), which ./lab tables --write creates.",
  ].join("\n");
}

function gridMarkdown(table: GridTable, withPublished: boolean): string {
  if (table.rows.length === 1) return "No load of these conditions yet.";
  const header = [filterLabel(table.where), "", ...table.columns.map(({ label }) => label)];
  const rows = table.rows.flatMap(({ label, cells }) =>
    cellStatistics.map((statistic, line) => [
      line === 0 ? label : "",
      lineNames[statistic],
      ...cells.map((cell) => cellText(cell, statistic, withPublished)),
    ]),
  );
  return alignedTable([header, ...rows], 2);
}

const lineNames = { max: "max", mean: "mean", min: "min", geometricMean: "geom. mean" };

function cellText(cell: Cell, statistic: CellStatistic, withPublished: boolean): string {
  const { ours, published } = cell;
  const digits = statistic === "geometricMean" ? 2 : 1;
  const value = ours === null ? unknown : printedBound(ours[statistic], ours.bounds[statistic], digits) + marksOf(cell);
  if (statistic === "geometricMean") return value + (ours ? bothEnds(ours.interval) : "");
  return `${value}${withPublished ? ` (${orUnknown(published?.[statistic])})` : ""}`;
}

const marked = (speedup: number, complete: boolean): string => printed(speedup, 2) + (complete ? "" : incompleteMark);

function directions(report: TablesReport): string[] {
  if (report.publishedSource === null) return [];
  const lines = directionDifferences(report).map(
    ({ table, where, ours, published, interval, complete }) =>
      `- Table ${inMarkdown(table)}, ${inMarkdown(where)}: ${marked(ours, complete)}${bothEnds(interval)} (${printed(published)})`,
  );
  return [
    "## Cells whose geometric mean and published mean are on different sides of 1",
    lines.length === 0 ? "None." : lines.join("\n"),
  ];
}
