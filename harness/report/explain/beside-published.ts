/** Gains that differ from published ones, by parts: which waits make a cell's mean gain what it is here. */
import { mean } from "simple-statistics";
import { type Part, partNames } from "../../explain/parts.ts";
import type { GridSpec, SummarySpec, TableSpec } from "../../plan/comparisons.ts";
import { type Published, publishedCase, publishedCell } from "../../plan/published.ts";
import { averageKey, linesOf } from "../tables/grid.ts";
import { passes, type Setting, sameSettings } from "../tables/setting.ts";
import { type ExplainedGain, type GainBesidePublished, type PartsMs, partsOf } from "./summary.ts";

/** How many are told: those that differ most. */
const told = 12;

/** @param whole each case's settings in the whole experiment: a published cell stands only beside one that has the same */
export function gainsBesidePublished(
  gains: readonly ExplainedGain[],
  tables: readonly TableSpec[],
  published: Published | null,
  whole: ReadonlyMap<string, readonly Setting[]>,
): GainBesidePublished[] {
  if (!published) return [];
  const ofCase = (id: string) => gains.filter((gain) => gain.case === id);
  const all = tables.flatMap((table) => {
    if ("summary" in table) return namedSettings(table, ofCase, published);
    return "columns" in table
      ? cells(table, ofCase(table.comparison), published, whole.get(table.comparison) ?? [])
      : [];
  });
  const far = ({ ours, published: theirs }: GainBesidePublished) => Math.abs(Math.log(ours / theirs));
  return all.sort((a, b) => far(b) - far(a)).slice(0, told);
}

/** The inner cells: averages are made of them. */
function cells(
  { id, where = {}, rows, columns }: GridSpec,
  gains: readonly ExplainedGain[],
  published: Published,
  whole: readonly Setting[],
): GainBesidePublished[] {
  const shown = gains.filter(({ setting }) => passes(setting, where));
  const inner = (axis: string) => linesOf(shown, axis).filter(({ key }) => key !== averageKey);
  return inner(rows).flatMap((row) =>
    inner(columns).flatMap((column) => {
      const holds = (setting: Setting) => passes(setting, where) && row.holds(setting) && column.holds(setting);
      const inside = shown.filter(({ setting }) => holds(setting));
      const theirs = publishedCell(published, id, row.key, column.key)?.mean ?? null;
      const isSame = sameSettings(
        inside.map(({ setting }) => setting),
        whole.filter(holds),
      );
      return theirs === null || !isSame ? [] : [beside(id, `${row.label}, ${column.label}, mean`, theirs, inside)];
    }),
  );
}

/** The best and the worst gain of each case, whose setting the source names. */
function namedSettings(
  { id, summary, notation }: SummarySpec,
  gainsOf: (id: string) => readonly ExplainedGain[],
  published: Published,
): GainBesidePublished[] {
  return summary.flatMap((caseId) =>
    (["best", "worst"] as const).flatMap((which) => {
      const theirs = publishedCase(published, id, caseId)?.[which];
      const inside = gainsOf(caseId).filter(
        ({ setting }) => `(${notation.map((axis) => setting[axis]).join(",")})` === theirs?.condition,
      );
      return theirs && inside.length === 1
        ? [beside(id, `Case ${caseId}, ${which} ${theirs.condition}`, theirs.gain, inside)]
        : [];
    }),
  );
}

function beside(
  table: string,
  where: string,
  published: number,
  inside: readonly ExplainedGain[],
): GainBesidePublished {
  const over = (of: (gain: ExplainedGain) => number) => mean(inside.map(of));
  const floorsKnown = inside.every(({ option }) => option.floorMs !== null);
  return {
    table,
    where,
    settings: inside.length,
    ours: over(({ base, option }) => base.pageLoadMs / option.pageLoadMs),
    published,
    most: floorsKnown ? over(({ base, option }) => base.pageLoadMs / option.floorMs!) : null,
    parts: partsOf((part) => over(({ parts, option }) => parts[part] / option.pageLoadMs)),
  };
}

/** What prints as 0.0 is not told. */
const leastGain = 0.05;

/** "1 + waiting 1.1 - window 0.1" */
export function gainSum(parts: PartsMs): string {
  const named = partNames
    .filter((part) => Math.abs(parts[part]) >= leastGain)
    .sort((a, b) => parts[b] - parts[a])
    .map((part: Part) => `${parts[part] > 0 ? "+" : "−"} ${part} ${Math.abs(parts[part]).toFixed(2)}`);
  return ["1", ...named].join(" ");
}
