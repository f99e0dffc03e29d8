/** Checks for CI whether a run's speedups are as large as required, with a line for each requirement. */
import { textOf } from "../../../axes/axis.ts";
import { axisNamed } from "../../../axes/registry.ts";
import { usageError } from "../../../schema/errors.ts";
import type { AxisValue } from "../../../schema/plan.ts";
import { counted } from "../../../schema/words.ts";
import type { ComparedExperiment, Filter } from "../../plan/comparisons.ts";
import { parse } from "../../plan/select.ts";
import type { SummaryTable } from "../tables/summary.ts";

/** As in "h2=1.2": the geometric mean of this comparison's speedups must be at least 1.2. */
export interface Demand {
  comparison: string;
  named: string;
  least: number;
}

/** @throws LabError (usage) that says what is allowed */
export function demandOf(
  text: string,
  { baseline, comparisons }: Pick<ComparedExperiment, "baseline" | "comparisons">,
): Demand {
  const [, named = "", least = ""] = /^(.+)=([\d.]+)$/.exec(text) ?? [];
  if (!(Number(least) > 0)) throw usageError(`--at-least ${text}: a comparison and a speedup are needed, as in h2=1.2`);
  const names = Object.entries(comparisons).map(([id, { title, option }]) => {
    const other = Object.entries(option).filter(([axis, value]) => baseline[axis] !== value);
    const values = other.map(([axis, value]) => textOf(axisNamed(axis, "comparison"), value));
    return { id, all: [id, title, values.join("+")] };
  });
  const found = names.find(({ all }) => all.includes(named));
  if (!found)
    throw usageError(
      `--at-least ${text}: there is no comparison "${named}"; there is: ${names.map(({ all }) => all.join(" or ")).join("; ")}`,
    );
  return { comparison: found.id, named, least: Number(least) };
}

/** @param only "axis=value[,value]" each @throws LabError (usage) for an unknown axis, or a value that it cannot have */
export const filterFrom = (only: readonly string[]): Filter =>
  Object.fromEntries(
    only.map((one) => {
      const { axis, values } = parse("--only", one);
      return [axis.name, values as [AxisValue]];
    }),
  );

/** @param table has one comparison; its subset are the scenarios to check */
export function checked(
  { comparisons: [column] }: SummaryTable,
  { named, least }: Demand,
): { isReached: boolean; why: string } {
  const {
    subsetGeometricMean: mean,
    subsetInterval: interval,
    subsetBasis: { scenarios, plannedScenarios, flaggedLoads },
  } = column!;
  if (mean === null) return { isReached: false, why: `${named}: no scenario has loads of both sides` };
  const missing = plannedScenarios - scenarios;
  const details = [
    interval
      ? `95% interval ${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}`
      : "too few blocks for an interval",
    counted(scenarios, "scenario"),
    ...(missing ? [`${missing} without loads`] : []),
    ...(flaggedLoads ? [counted(flaggedLoads, "flagged load")] : []),
  ];
  const relation = mean >= least ? "at least" : "less than";
  return {
    isReached: mean >= least && missing === 0,
    why: `${named}: the geometric mean of speedups is ${mean.toFixed(3)}, ${relation} ${least}; ${details.join(", ")}`,
  };
}
