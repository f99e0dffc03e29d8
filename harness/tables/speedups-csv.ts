/** Prints the speedups as CSV, in full precision. Fields are empty for missing numbers, and for axes that the comparison changes. */
import { allAxes } from "../../axes/registry.ts";
import { csvOf } from "./csv.ts";
import type { TablesReport } from "./report.ts";
import { fieldsOf } from "./scenario.ts";
import type { Speedup } from "./speedups.ts";

const scenarioFields = allAxes.flatMap(({ field }) => field ?? []);

export function renderSpeedupsCsv({ speedups, clock }: Pick<TablesReport, "speedups" | "clock">): string {
  const numbers = "speedup low95 high95 baselineMedianMs optionMedianMs baselineLoads optionLoads flaggedLoads";
  const columns = ["clock", "comparison", ...scenarioFields, ...numbers.split(" ")];
  const lines = speedups.map(({ scenario, interval, ...speedup }: Speedup) => ({
    clock,
    ...fieldsOf(scenario),
    ...speedup,
    low95: interval?.low ?? null,
    high95: interval?.high ?? null,
  }));
  return csvOf(lines, columns);
}
