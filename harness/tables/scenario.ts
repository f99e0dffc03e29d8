/** A scenario is a condition without the axes that a comparison changes: the paper's test case, e.g. page A, 1 server, 10/1 Mb/s, 20 ms, 0%. */
import { labelOf } from "../../axes/axis.ts";
import { allAxes } from "../../axes/registry.ts";
import type { Condition, Values } from "../../schema/plan.ts";
import { type Contrast, type Filter, lostBeside } from "../plan/comparisons.ts";

/** Axis -> value. If the comparison changes the link, the link's parts are absent, too. */
export type Scenario = Values;

export const matches = (condition: Values, values: Values): boolean =>
  Object.entries(values).every(([axis, value]) => condition[axis] === value);

interface Keyed {
  scenario: Scenario;
  key: string;
}
const scenarios = new WeakMap<Values, Map<string, Keyed>>();

/** Cached, because hundreds of claims need the same scenarios. */
function scenarioOf(condition: Values, { option }: Contrast): Keyed {
  const own = scenarios.get(condition) ?? new Map<string, Keyed>();
  const changed = Object.keys(option).join();
  const known = own.get(changed);
  if (known) return known;
  const lost = lostBeside(Object.keys(option));
  const left = allAxes.flatMap(({ name }) => (lost.has(name) ? [] : [[name, condition[name]!]]));
  const scenario = Object.fromEntries(left) as Scenario;
  const keyed = { scenario, key: scenarioKey(scenario) };
  scenarios.set(condition, own.set(changed, keyed));
  return keyed;
}

/** A scenario's two sides. A side is absent if the run has no condition for it. */
export interface Pair<Side> {
  scenario: Scenario;
  baseline?: Side;
  option?: Side;
}

/** Returns one pair for each scenario, in the order of the conditions. */
export function pairsOf<Side extends { condition: Condition }>(sides: Contrast, all: readonly Side[]): Pair<Side>[] {
  const pairs = new Map<string, Pair<Side>>();
  for (const one of all)
    for (const side of ["baseline", "option"] as const) {
      if (!matches(one.condition.values, sides[side])) continue;
      const { scenario, key } = scenarioOf(one.condition.values, sides);
      pairs.set(key, { scenario, ...pairs.get(key), [side]: one });
    }
  return [...pairs.values()];
}

export const scenarioKey = (scenario: Scenario): string =>
  JSON.stringify(allAxes.map(({ name }) => scenario[name] ?? null));

/** Whether two lists have the same scenarios, in any order. */
export function sameScenarios(some: readonly Scenario[], others: readonly Scenario[]): boolean {
  const keys = new Set(others.map(scenarioKey));
  return some.length === others.length && some.every((scenario) => keys.has(scenarioKey(scenario)));
}

/** Returns a scenario's values as the flat fields of a load's line. */
export const fieldsOf = (scenario: Scenario): Values =>
  Object.fromEntries(
    allAxes.flatMap(({ name, field }) => (field && scenario[name] !== undefined ? [[field, scenario[name]]] : [])),
  );

export const passes = (scenario: Scenario, filter: Filter): boolean =>
  Object.entries(filter).every(([axis, allowed]) => allowed === undefined || allowed.includes(scenario[axis] ?? ""));

/** Describes the filter in the words of the tables: "Page A, Page B, 0% PLR". */
export const filterLabel = (filter: Filter): string =>
  allAxes.flatMap((axis) => (filter[axis.name] ?? []).map((value) => labelOf(axis, value))).join(", ");
