/** The document with a row for each condition: the number of loads that count, their median and their spread. */

import { inMarkdown } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import type { ConditionSummary } from "./condition-summary.ts";
import { csvOf } from "./csv.ts";
import { alignedTable, threeDigits, unknown } from "./format.ts";
import { modesTable } from "./modes-markdown.ts";
import type { TablesReport } from "./report.ts";

export function renderConditions({ title, clock, metric, unit, conditions, modes }: TablesReport): string {
  const header = ["condition", "loads", "flagged", `median, ${unit}`, `quartiles, ${unit}`, "IQR / median"];
  const text =
    `Median ${metric} of each condition's loads, ${clock} clock. Spread is the interquartile range (IQR): half of the loads\n` +
    "lie between the lower and the upper quartile. The same numbers in full precision: [conditions.csv](conditions.csv).\n" +
    "The speedups computed from these medians: [tables.md](tables.md).";
  const heading = `# ${inMarkdown(title)}: ${counted(conditions.length, "condition")}`;
  return `${[heading, text, alignedTable([header, ...conditions.map(row)], 1), ...withModes(modes, unit)].join("\n\n")}\n`;
}

const withModes = (modes: TablesReport["modes"], unit: string): string[] =>
  modes.length === 0
    ? []
    : [
        "## Conditions whose times fall into separate groups",
        "The gaps between groups are at least twice as wide as any group; chance alone makes such gaps in fewer than 2% of conditions.\n" +
          "Groups mostly differ in which server's packets the queue dropped, as the servers' retransmitted segments show.",
        modesTable(modes, unit),
      ];

function row(summary: ConditionSummary): string[] {
  const { condition, loads, plannedLoads, flaggedLoads, median, lowerQuartile: low, upperQuartile: high } = summary;
  const counts = [condition, `${loads} of ${plannedLoads}`, `${flaggedLoads}`];
  if (median === null || low === null || high === null) return [...counts, unknown, unknown, unknown];
  const spread = (100 * (high - low)) / median;
  return [
    ...counts,
    threeDigits(median),
    `${threeDigits(low)}–${threeDigits(high)}`,
    Number.isFinite(spread) ? `${spread.toFixed(1)}%` : unknown,
  ];
}

export const renderConditionsCsv = ({ conditions, clock, unit }: TablesReport): string =>
  csvOf(conditions.map(({ condition, fields, ...numbers }) => ({ clock, condition, ...fields, unit, ...numbers })));
