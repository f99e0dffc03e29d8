/** Prints the table of what a gate measured: the page before and after, or one version with the range of its loads. */
import { counted } from "../../schema/words.ts";
import { alignedTable, unknown } from "../tables/format.ts";
import { gravestOf, inWords } from "./demands.ts";
import type { GateReport, GateRow } from "./gate-report.ts";
import { type GateMeasureName, gateMeasures, ofMeasure, printed } from "./measures.ts";

export function gateTable({ rows }: Pick<GateReport, "rows">): string {
  const isDemanding = rows.some(({ demands }) => demands.length > 0);
  const compared = isCompared(rows);
  const headings = compared ? ["before", "after", "difference"] : ["median", "range"];
  const cells = compared ? comparedCells : ownCells;
  const table = [
    ["page", "link", "measure", ...headings, "result"],
    ...rows.flatMap((row) =>
      shownIn(row).map(({ name, title }) => [row.page, row.link, title, ...cells(row, name), resultOf(row, name)]),
    ),
  ];
  return alignedTable(isDemanding ? table : table.map((line) => line.slice(0, -1)), 3);
}

export const numbersSentence = ({ rows, loads }: GateReport): string =>
  `Medians of ${counted(loads, "load")}. ${
    isCompared(rows)
      ? "The probability that all intervals contain their true differences is 95%."
      : "A range is from the smallest to the largest value; it is empty if all loads have the same value."
  }`;

const isCompared = (rows: readonly GateRow[]): boolean => rows.some(({ before }) => before !== null);

const shownIn = ({ after, demands }: GateRow) =>
  Object.values(gateMeasures).filter(({ name, ifBudgeted, recordedLater }) => {
    const isUnknown = recordedLater && ofMeasure(after, name).atLeast === Infinity;
    return (!ifBudgeted && !isUnknown) || demands.some(({ measure }) => measure === name);
  });

function comparedCells({ before, after, comparisons }: GateRow, name: GateMeasureName): string[] {
  const difference = comparisons[name]?.difference;
  return [
    before ? printed(name, ofMeasure(before, name)) : unknown,
    printed(name, ofMeasure(after, name)),
    difference ? inWords(difference) : "",
  ];
}

function ownCells({ after, ranges }: GateRow, name: GateMeasureName): string[] {
  const { least, most } = ofMeasure(ranges, name);
  const ends = [least, most].map((bounds) => printed(name, bounds));
  return [printed(name, ofMeasure(after, name)), ends[0] === ends[1] ? "" : ends.join(" to ")];
}

/** Prints a measure's result: "passed, no more than +23.0%", "**failed**". */
function resultOf({ demands }: GateRow, name: GateMeasureName): string {
  const own = demands.filter(({ measure }) => measure === name);
  if (own.length === 0) return "";
  const result = gravestOf(own.map((demand) => demand.result));
  const perhaps = own.flatMap((demand) => demand.perhaps ?? []);
  return result === "passed" ? [result, ...perhaps].join(", ") : `**${result}**`;
}
