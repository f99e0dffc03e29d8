import { addedModules } from "../hosts/added-modules.ts";
import { filesEndingIn, loadEntries, modulesIn } from "../schema/entries.ts";
import type { Metric } from "./metric.ts";

const found = await loadEntries<Metric | Metric[]>(
  filesEndingIn(".metric.ts", "metrics"),
  "metric",
  (name) => import(`./${name}.metric.ts`),
  modulesIn(addedModules, "metrics"),
);
const all = found.flat().sort(({ name: a }, { name: b }) => (a < b ? -1 : 1));
for (const names of [all.map(({ name }) => name), all.flatMap(({ gate }) => gate?.name ?? [])]) {
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new Error(`metrics/: two metrics have the name ${twice}`);
}

/** The metrics that tables can show, in the order of their names. */
export const metrics: Readonly<Record<string, Metric>> = Object.fromEntries(
  all.filter(({ tables }) => tables !== false).map((metric) => [metric.name, metric]),
);
export const defaultMetric = "pageLoadMs";

/** Names of the metrics that speedups can compare: smaller values are better, so a speedup above 1 means faster. */
export const speedupMetrics = Object.values(metrics).flatMap(({ name, moreIsBetter }) => (moreIsBetter ? [] : [name]));

export const comparedMetrics = all
  .filter(({ compared }) => compared !== undefined)
  .sort((a, b) => a.compared! - b.compared!);

/** The metrics that are kept and exported for each judged load, in this order. */
export const keptMetrics: readonly Metric[] = [...new Set([...Object.values(metrics), ...comparedMetrics])];

export const gateMetrics = all
  .flatMap(({ gate, ...metric }) => (gate ? [{ ...metric, gate }] : []))
  .sort((a, b) => a.gate.place - b.gate.place);
