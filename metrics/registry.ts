import { filesEndingIn, loadEntries } from "../schema/entries.ts";
import type { Metric } from "./metric.ts";

const found = await loadEntries<Metric>(
  filesEndingIn(".metric.ts", "metrics"),
  "metric",
  (name) => import(`./${name}.metric.ts`),
);

/** What tables can be made of, by the field of a load's line. */
export const metrics: Readonly<Record<string, Metric>> = Object.fromEntries(
  found.map((metric) => [metric.name, metric]),
);
export const defaultMetric = "pageLoadMs";
