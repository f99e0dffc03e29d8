import { filesEndingIn, loadEntries } from "../schema/entries.ts";
import type { Metric } from "./metric.ts";

const found = await loadEntries<Metric | Metric[]>(
  filesEndingIn(".metric.ts", "metrics"),
  "metric",
  (name) => import(`./${name}.metric.ts`),
);

/** What tables can be made of, by the field of a load's line: in the order of these names, in which lines have them. */
export const metrics: Readonly<Record<string, Metric>> = Object.fromEntries(
  found
    .flat()
    .map((metric) => [metric.name, metric] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);
export const defaultMetric = "pageLoadMs";
