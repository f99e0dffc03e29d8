/** Turns published tables into claims: one claim for each legible number, and for each mean a second claim about whether the option is faster. */
import type { AxisValue, Values } from "../../schema/plan.ts";
import { type Claim, type ClaimsOfExperiment, isCount, type Leaf } from "../plan/claims.ts";
import { type ComparedExperiment, type Filter, type GridSpec, isGrid, type SummarySpec } from "../plan/comparisons.ts";
import type { Published } from "../plan/published.ts";
import { averageKey } from "../tables/grid.ts";
import type { MeasuredRun } from "./measured-run.ts";

type Over = Leaf["over"];
interface Entry {
  says: string;
  at: string;
  published: number | null;
  comparison: string;
  over: Over;
  where: Filter;
}

/** @returns the claims by id; an id describes the number's place in the document */
export function publishedClaims(
  { published }: Pick<ClaimsOfExperiment, "published">,
  { experiment, samplesOf }: MeasuredRun,
): Record<string, Claim> {
  if (!published) return {};
  const values = samplesOf(experiment.metric).map(({ condition }) => condition.values);
  return Object.fromEntries(
    entriesOf(experiment, published, values)
      .filter((entry): entry is Entry & { published: number } => entry.published !== null)
      .flatMap((entry) => claimsOf(entry, published.document)),
  );
}

/** Makes the claims about a number that is known only to its last printed digit. A mean printed as 1.0 does not show which side is faster. */
function claimsOf(
  { says, at, published, ...leaf }: Entry & { published: number },
  document: string,
): [string, Claim][] {
  const quantity: Leaf = { of: "speedup", statistic: "median", ...leaf };
  const claim = { source: { document, at }, published, quantity };
  const half = isCount(leaf.over) ? 0.5 : 0.05;
  const value: Claim = { ...claim, says: `${says} is ${published}`, holds: `within ${half} of the published` };
  if (leaf.over !== "mean" || published === 1) return [[`${says}: value`, value]];
  const [direction, holds] = published > 1 ? ["above", "above 1"] : ["below", "below 1"];
  return [
    [`${says}: value`, value],
    [`${says}: direction`, { ...claim, says: `${says} is ${direction} 1`, holds }],
  ];
}

function entriesOf({ tables }: ComparedExperiment, published: Published, values: readonly Values[]): Entry[] {
  return tables.flatMap((table) => {
    if ("summary" in table) return summaryEntries(table, published);
    return isGrid(table) ? gridEntries(table, published, values) : [];
  });
}

function gridEntries(spec: GridSpec, { tables }: Published, values: readonly Values[]): Entry[] {
  const { id, comparison, rows, columns, where = {} } = spec;
  return Object.entries(tables[id] ?? {}).flatMap(([row, cells]) =>
    Object.entries(cells).flatMap(([column, cell]): Entry[] => {
      const inside = { ...where, ...only(rows, row, values), ...only(columns, column, values) };
      const of = (over: Over, number: number | null | undefined) => ({
        says: `table ${id}, ${rows} ${row} x ${columns} ${column}: the ${over}`,
        at: `table ${id}`,
        published: number ?? null,
        comparison,
        over,
        where: inside,
      });
      return [of("mean", cell?.mean), of("maximum", cell?.max), of("minimum", cell?.min)];
    }),
  );
}

/** Returns the filter that selects a row or column: the axis value in its heading, or all values if the heading is "average". */
function only(axis: string, key: string, values: readonly Values[]): Filter {
  const found = values.map((one) => one[axis]).find((value) => String(value) === key);
  return key === averageKey ? {} : { [axis]: [found ?? (key satisfies AxisValue)] };
}

function summaryEntries({ id, summary, subset = {} }: SummarySpec, { summaries }: Published): Entry[] {
  return summary.flatMap((comparison) => {
    const own = summaries[id]?.[comparison];
    const of = (what: string, over: Over, number: number | null | undefined, where: Filter = {}): Entry => ({
      says: `table ${id}, comparison ${comparison}: ${what}`,
      at: `table ${id}`,
      published: number ?? null,
      comparison,
      over,
      where,
    });
    return [
      of("the average", "mean", own?.average),
      of("the average of the subset", "mean", own?.subsetAverage, subset),
      of("the best", "maximum", own?.best?.speedup),
      of("the worst", "minimum", own?.worst?.speedup),
      of("the number of scenarios with a speedup of at least 1", { count: { atLeast: 1 } }, own?.atLeast1?.count),
      of("the number of scenarios with a speedup of at least 2", { count: { atLeast: 2 } }, own?.atLeast2?.count),
    ];
  });
}
