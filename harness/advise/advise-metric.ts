/** The times that `./lab advise` can make shorter. */
import { gateMetrics } from "../../metrics/registry.ts";
import { usageError } from "../../schema/errors.ts";

const times = gateMetrics.filter(({ unit }) => unit === "ms");

/** The names of these times, as in budgets: "pageLoad". */
export const adviseMetricNames: readonly string[] = times.map(({ gate }) => gate.name);

/** @throws LabError (usage) that lists the names */
export function adviseMetric(name: string): (typeof times)[number] {
  const found = times.find(({ gate }) => gate.name === name);
  if (found) return found;
  throw usageError(`unknown metric "${name}"; allowed: ${adviseMetricNames.join(", ")}`);
}
