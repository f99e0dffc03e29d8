/** Builds the experiment of a run of `./lab advise`: the unchanged page, and the page with each change, over the users' links. */
import { axisNamed } from "../../axes/registry.ts";
import { usageError } from "../../schema/errors.ts";
import type { AxisValue, Condition, Values } from "../../schema/plan.ts";
import type { Registries } from "../../schema/registries.ts";
import type { AdvisePlan } from "../plan/advise-plan.ts";
import { conditionOf } from "../plan/conditions.ts";
import type { Experiment } from "../plan/experiment.ts";
import { type Given, usualValues, withTimeout } from "../plan/trial.ts";
import { adviseMetric } from "./advise-metric.ts";

/** The experiment's name in all runs of `./lab advise`; no file in experiments/ may have this name. */
export const adviseName = "advise";

/** Axes that the command sets by itself, so the user must not give them. */
const own = ["page", "document", "servers", "link"];

/** Returns the axis values of the user's stack. @throws LabError (usage) for an axis with several values, or an axis that the command sets itself */
export function stackOf(given: readonly Given[]): Record<string, AxisValue> {
  const several = given.find(({ values }) => values.length > 1);
  if (several)
    throw usageError(
      `--${several.axis.name} describes the servers as they are: give one value; ./lab ${adviseName} tries other values by itself`,
    );
  const set = given.find(({ axis }) => own.includes(axis.name));
  if (set)
    throw usageError(
      `--${set.axis.name}: leave this option out; the page's folder determines the page and its number of hosts, and --users determines the links`,
    );
  const named = [...given, ...own.map((name) => ({ axis: axisNamed(name, adviseName), values: [] }))];
  const usual = Object.entries(usualValues(named)).map(([name, [value]]) => [name, value!] as const);
  return {
    ...Object.fromEntries(usual),
    ...Object.fromEntries(given.map(({ axis, values: [one] }) => [axis.name, one!])),
  };
}

export interface Asked {
  command: string;
  loads: number;
  seed: number;
  timeout?: number | undefined;
}

/** @param stack the result of `stackOf`; a change may replace some of these values */
export function adviseExperiment(
  plan: Omit<AdvisePlan, "session">,
  stack: Values,
  { command, loads, seed }: Asked,
  registries: Registries,
): ReturnType<typeof withTimeout> {
  const title = `What makes ${plan.page} faster`;
  // The loads of a search were used to choose the best changes, so tables of these loads would overstate the savings.
  const comparisons = plan.purpose === "measure" ? comparisonsOf(plan) : {};
  const [first, ...others] = Object.keys(comparisons);
  const shared = Object.entries(stack).filter(([name]) => !(name in plan.unchanged));
  const experiment: Experiment = {
    title,
    source: command,
    loads,
    seed,
    timeout: "",
    sharesLosses: { seed },
    metric: adviseMetric(plan.metric).name,
    axes: { ...Object.fromEntries(shared.map(([name, value]) => [name, [value]])), link: linksOf(plan) },
    together: [plan.unchanged, ...plan.changes.map(({ row }) => row)],
    baseline: plan.unchanged,
    comparisons,
    tables: first === undefined ? [] : [{ id: "1", title, medians: [first, ...others] }],
  };
  return withTimeout(experiment, registries);
}

function comparisonsOf({ unchanged, changes }: Pick<AdvisePlan, "unchanged" | "changes">): Experiment["comparisons"] {
  const named = changes.map(({ title, row }, i) => {
    const option = Object.fromEntries(Object.entries(row).filter(([name, value]) => value !== unchanged[name]));
    return [String(i + 1), { title, option }] as const;
  });
  return Object.fromEntries(named.filter(([, { option }]) => Object.keys(option).length > 0));
}

const linksOf = ({ users }: Pick<AdvisePlan, "users">): string[] => users.map(({ link }) => link);

export function conditionFinder({ axes }: Pick<Experiment, "axes">, registries: Registries) {
  const shared = Object.fromEntries(Object.entries(axes).map(([name, [value]]) => [name, value!]));
  return (row: Values, link: string): Condition => conditionOf({ ...shared, ...row, link }, registries);
}

/** Returns only the axes page, servers and document, and the axes that some change sets. @param now all axis values of the unchanged page */
export function rowsOf(
  now: Values,
  changed: ReadonlyMap<string, Values>,
): { unchanged: Values; rows: Map<string, Values> } {
  const names = [...new Set(["page", "servers", "document", ...[...changed.values()].flatMap(Object.keys)])];
  const unchanged = Object.fromEntries(names.map((name) => [name, now[name]!]));
  const rows = new Map([...changed].map(([name, values]) => [name, { ...unchanged, ...values }]));
  return { unchanged, rows };
}
