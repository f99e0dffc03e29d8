import type { FactorsCell, FactorsTable } from "./factors.ts";
import { marksOf } from "./footnotes.ts";
import { alignedTable, bothEnds, boundMark, threeDigits, unknown } from "./format.ts";
import { filterLabel } from "./scenario.ts";

export function factorsMarkdown({ cells, statistic, metric, unit, where, columns, rows }: FactorsTable): string {
  if (rows.length === 0) return "No load of these conditions yet.";
  const of = cells === "value" ? `${statistic} ${metric}, ${unit}` : `speedup of the ${statistic} ${metric}`;
  const header = [filterLabel(where), ...columns.map(({ label }) => label)];
  const lines = rows.map(({ label, cells: own }) => [label, ...own.map((cell) => textOf(cell, cells))]);
  return [`${of[0]!.toUpperCase()}${of.slice(1)}.`, alignedTable([header, ...lines], 1)].join("\n\n");
}

function textOf(cell: FactorsCell & { isBaseline: boolean }, cells: FactorsTable["cells"]): string {
  const { value, bound, interval } = cell;
  if (value === null) return cell.isBaseline && cell.plannedScenarios === 0 ? "baseline" : unknown + marksOf(cell);
  const shown = cells === "value" ? threeDigits : (one: number) => one.toFixed(2);
  return boundMark(bound) + shown(value) + marksOf(cell) + bothEnds(interval, 0, shown);
}
