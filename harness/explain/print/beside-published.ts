/** Splits the speedups that differ most from published ones into parts. */
import { mean } from "simple-statistics";
import { type GridSpec, isGrid, type SummarySpec, type TableSpec } from "../../plan/comparisons.ts";
import { type Published, publishedCell, publishedComparison } from "../../plan/published.ts";
import { averageKey, laidOut } from "../../tables/grid.ts";
import type { Scenario } from "../../tables/scenario.ts";
import { type Part, type PartsMs, partNames, partsOf } from "../parts.ts";
import type { ExplainedSpeedup, SpeedupBesidePublished } from "./summary.ts";

const shownMost = 12;

/** @param whole each comparison's scenarios in the whole experiment; cells that lack some of their scenarios are not compared */
export function speedupsBesidePublished(
  speedups: readonly ExplainedSpeedup[],
  tables: readonly TableSpec[],
  published: Published | null,
  whole: ReadonlyMap<string, readonly Scenario[]>,
): SpeedupBesidePublished[] {
  if (!published) return [];
  const ofComparison = (id: string) => speedups.filter((speedup) => speedup.comparison === id);
  const all = tables.flatMap((table) => {
    if ("summary" in table) return namedScenarios(table, ofComparison, published);
    return isGrid(table)
      ? cells(table, ofComparison(table.comparison), published, whole.get(table.comparison) ?? [])
      : [];
  });
  const far = ({ ours, published: theirs }: SpeedupBesidePublished) => Math.abs(Math.log(ours / theirs));
  return all.sort((a, b) => far(b) - far(a)).slice(0, shownMost);
}

/** Returns the cells, without the averages that are computed from them. */
function cells(
  spec: GridSpec,
  speedups: readonly ExplainedSpeedup[],
  published: Published,
  whole: readonly Scenario[],
): SpeedupBesidePublished[] {
  const all = laidOut(spec, speedups, whole).rows.flatMap((row) => row.cells);
  return all.flatMap(({ row, column, inside, isWhole }) => {
    if (!isWhole || row.key === averageKey || column.key === averageKey) return [];
    const theirs = publishedCell(published, spec.id, row.key, column.key)?.mean ?? null;
    return theirs === null ? [] : [beside(spec.id, `${row.label}, ${column.label}, mean`, theirs, inside)];
  });
}

/** Returns the best and the worst speedup of each comparison, if the source names their scenarios. */
function namedScenarios(
  { id, summary, notation }: SummarySpec,
  speedupsOf: (id: string) => readonly ExplainedSpeedup[],
  published: Published,
): SpeedupBesidePublished[] {
  return summary.flatMap((comparisonId) =>
    (["best", "worst"] as const).flatMap((which) => {
      const theirs = publishedComparison(published, id, comparisonId)?.[which];
      const inside = speedupsOf(comparisonId).filter(
        ({ scenario }) => `(${notation.map((axis) => scenario[axis]).join(",")})` === theirs?.condition,
      );
      return theirs && inside.length === 1
        ? [beside(id, `Comparison ${comparisonId}, ${which} ${theirs.condition}`, theirs.speedup, inside)]
        : [];
    }),
  );
}

function beside(
  table: string,
  where: string,
  published: number,
  inside: readonly ExplainedSpeedup[],
): SpeedupBesidePublished {
  const over = (of: (speedup: ExplainedSpeedup) => number) => mean(inside.map(of));
  const floorsKnown = inside.every(({ option }) => option.floorMs !== null);
  return {
    table,
    where,
    scenarios: inside.length,
    ours: over(({ base, option }) => base.pageLoadMs / option.pageLoadMs),
    published,
    most: floorsKnown ? over(({ base, option }) => base.pageLoadMs / option.floorMs!) : null,
    parts: partsOf((part) => over(({ parts, option }) => parts[part] / option.pageLoadMs)),
  };
}

/** A part is left out if it changes the speedup by less than this. */
const leastShown = 0.05;

/** Prints a speedup as a sum: "1 + waiting 1.10 − window 0.10". */
export function speedupSum(parts: PartsMs): string {
  const named = partNames
    .filter((part) => Math.abs(parts[part]) >= leastShown)
    .sort((a, b) => parts[b] - parts[a])
    .map((part: Part) => `${parts[part] > 0 ? "+" : "−"} ${part} ${Math.abs(parts[part]).toFixed(2)}`);
  return ["1", ...named].join(" ");
}
