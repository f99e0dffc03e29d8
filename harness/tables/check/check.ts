/** Checks for CI whether a run's speedups are as large as required. */
import { textOf } from "../../../axes/axis.ts";
import { axisNamed } from "../../../axes/registry.ts";
import { usageError } from "../../../schema/errors.ts";
import type { AxisValue } from "../../../schema/plan.ts";
import { counted } from "../../../schema/words.ts";
import type { ComparedExperiment, Filter } from "../../plan/comparisons.ts";
import { parse } from "../../plan/select.ts";
import type { Interval } from "../../statistics/resample.ts";
import { flaggedInWords } from "../format.ts";
import type { SummaryTable } from "../summary.ts";

/** A requirement such as "h2=1.2": the whole 95% interval of the comparison's geometric mean speedup must be at least 1.2. */
export interface Demand {
  comparison: string;
  named: string;
  least: number;
}

/** @throws LabError (usage) that names the known comparisons */
export function demandOf(
  text: string,
  { baseline, comparisons }: Pick<ComparedExperiment, "baseline" | "comparisons">,
): Demand {
  const [, named = "", least = ""] = /^(.+)=([\d.]+)$/.exec(text) ?? [];
  if (!(Number(least) > 0)) throw usageError(`--at-least ${text}: a comparison and a speedup are needed, as in h2=1.2`);
  const names = Object.entries(comparisons).map(([id, one]) => {
    const { title, option } = one;
    const other = Object.entries(option).filter(([axis, value]) => (one.baseline ?? baseline)[axis] !== value);
    const values = other.map(([axis, value]) => textOf(axisNamed(axis, "comparison"), value));
    return { id, all: [id, title, values.join("+")] };
  });
  const found = names.find(({ all }) => all.includes(named));
  if (!found)
    throw usageError(
      `--at-least ${text}: unknown comparison "${named}"; known: ${names.map(({ all }) => all.join(" or ")).join("; ")}`,
    );
  return { comparison: found.id, named, least: Number(least) };
}

/** @param only elements such as "axis=value,value" @throws LabError (usage) for an unknown axis or an invalid value */
export const filterFrom = (only: readonly string[]): Filter =>
  Object.fromEntries(
    only.map((one) => {
      const { axis, values } = parse("--only", one);
      return [axis.name, values as [AxisValue]];
    }),
  );

export type Checked = { result: "reached" | "not reached" | "undecided"; why: string };

/**
 * The interval decides, because a mean may exceed the required speedup by chance. The result is "undecided" if the interval is on both sides of
 * the required speedup, if there is no interval, and if scenarios lack loads.
 * @param table a summary of one comparison; its subset is the scenarios to check
 */
export function checked({ comparisons: [column] }: SummaryTable, { named, least }: Demand): Checked {
  const { subsetGeometricMean: mean, subsetBounds, subsetInterval: interval, subsetBasis } = column!;
  const { scenarios, plannedScenarios, flaggedLoads, endlessScenarios } = subsetBasis;
  if (scenarios === 0) return { result: "undecided", why: `${named}: no scenario has loads of both sides` };
  const missing = plannedScenarios - scenarios;
  const details = [
    interval ? `95% interval ${rangeText(interval)}` : "too few blocks for an interval",
    counted(scenarios, "scenario"),
    ...(missing ? [`${missing} without loads`] : []),
    ...(endlessScenarios ? [`${endlessScenarios} with loads that never ended`] : []),
    ...(flaggedLoads ? [flaggedInWords(flaggedLoads)] : []),
  ];
  const bound = subsetBounds.geometricMean ? `${subsetBounds.geometricMean} ` : "";
  const is = mean === null ? "is not known" : `is ${bound}${mean.toFixed(3)}`;
  return {
    result: missing ? "undecided" : resultOf(interval, least),
    why: `${named}: the geometric mean of speedups ${is}, required: ${least}; ${details.join(", ")}`,
  };
}

function resultOf(interval: Interval | null, least: number): Checked["result"] {
  if (!interval || (interval.low < least && interval.high >= least)) return "undecided";
  return interval.low >= least ? "reached" : "not reached";
}

function rangeText({ low, high }: Interval): string {
  if (high === Infinity) return `at least ${low.toFixed(3)}`;
  return low === 0 ? `at most ${high.toFixed(3)}` : `${low.toFixed(3)} to ${high.toFixed(3)}`;
}
