/** Prints the report as JSON: everything that the other formats print, in full precision, and the speedups themselves. */
import { directionDifferences } from "./directions.ts";
import type { TablesReport } from "./report.ts";

export const renderJson = (report: TablesReport): string =>
  `${JSON.stringify({ ...report, directionDifferences: directionDifferences(report) }, null, 2)}\n`;
