/** A table with a row for each scenario: the baseline's median, and each option's median and speedup. */
import { type AnyAxis, isCompound, labelOf, textOf } from "../../axes/axis.ts";
import { allAxes } from "../../axes/registry.ts";
import type { Values } from "../../schema/plan.ts";
import type { Comparisons, MediansSpec } from "../plan/comparisons.ts";
import { passes, type Scenario, scenarioKey } from "./scenario.ts";
import type { ResampledSpeedup } from "./speedups.ts";
import { basisOf } from "./statistics.ts";

export type MediansTable = ReturnType<typeof mediansTable>;
export type MedianCell = ReturnType<typeof cellOf>;

/** @param speedupsByComparison each comparison's speedups, in the order of the scenarios */
export function mediansTable(
  { id, title, medians, where = {} }: MediansSpec,
  baseline: Values,
  comparisons: Comparisons,
  speedupsByComparison: ReadonlyMap<string, readonly ResampledSpeedup[]>,
) {
  const shown = medians.map((one) =>
    (speedupsByComparison.get(one) ?? []).filter(({ scenario }) => passes(scenario, where)),
  );
  const scenarios = [...new Map(shown.flat().map(({ scenario }) => [scenarioKey(scenario), scenario])).values()];
  const { varying, common } = splitAxes(scenarios);
  const rows = scenarios.map((scenario) => {
    const key = scenarioKey(scenario);
    const speedups = shown.map((ownSpeedups) => ownSpeedups.find((speedup) => scenarioKey(speedup.scenario) === key));
    return {
      labels: varying.map((axis) => labelOf(axis, scenario[axis.name]!)),
      baselineMedianMs: speedups.find((speedup) => speedup !== undefined)?.baselineMedianMs ?? null,
      cells: speedups.map((speedup, i) => cellOf(medians[i]!, speedup)),
    };
  });
  return {
    ...{ kind: "medians" as const, id, title },
    /** The axes in which rows differ (`varying`), and the values that all rows share, in words and without defaults (`common`). */
    varying: varying.map(({ name }) => name),
    common: common.map((axis) => `${axis.name} ${textOf(axis, scenarios[0]![axis.name]!)}`),
    baseline: sideLabel(comparisons[medians[0]!]?.baseline ?? baseline),
    columns: medians.map((one) => ({ comparison: one, title: comparisons[one]!.title })),
    rows,
  };
}

const cellOf = (comparisonId: string, speedup: ResampledSpeedup | undefined) => ({
  comparison: comparisonId,
  medianMs: speedup?.optionMedianMs ?? null,
  speedup: speedup?.speedup ?? null,
  bound: speedup?.bound ?? null,
  interval: speedup?.interval ?? null,
  ...basisOf(speedup ? [speedup] : []),
});

/** Describes one side of a comparison: "h1, initcwnd 3". */
export const sideLabel = (side: Values): string =>
  allAxes.flatMap((axis) => (side[axis.name] === undefined ? [] : [labelOf(axis, side[axis.name]!)])).join(", ");

/** Returns the axes in which scenarios differ (`varying`), and other axes not at their default (`common`). A compound axis replaces its parts. */
function splitAxes(scenarios: readonly Scenario[]): Record<"varying" | "common", readonly AnyAxis[]> {
  const named = allAxes.filter(({ name }) => scenarios[0]?.[name] !== undefined);
  const parts = new Set(named.flatMap((axis) => (isCompound(axis) ? axis.parts : [])));
  const speaking = named.filter(({ name }) => !parts.has(name)).filter((axis) => !impliedBy(axis, named));
  const varies = ({ name }: AnyAxis) => new Set(scenarios.map((scenario) => scenario[name])).size > 1;
  const usual = (axis: AnyAxis) => "default" in axis && scenarios[0]?.[axis.name] === axis.default;
  return { varying: speaking.filter(varies), common: speaking.filter((axis) => !varies(axis) && !usual(axis)) };
}

/** Whether all parts of a compound axis also belong to a larger compound axis, as the parts of a rate also belong to a link. */
const impliedBy = (axis: AnyAxis, others: readonly AnyAxis[]): boolean =>
  isCompound(axis) &&
  others.some(
    (other) =>
      isCompound(other) &&
      other.parts.length > axis.parts.length &&
      axis.parts.every((part) => other.parts.includes(part)),
  );
