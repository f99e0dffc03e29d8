/** A figure's points as CSV, in full precision; an empty field is a number that is not there. */
import { stringify } from "csv-stringify/sync";
import type { Figure } from "./figure.ts";

const columns = [
  "source",
  "model",
  "panel",
  "series",
  "x",
  "y",
  "low",
  "high",
  "scenarios",
  "plannedScenarios",
  "loads",
  "plannedLoads",
  "flaggedLoads",
];

export const renderFigureCsv = ({ points }: Figure): string => stringify(points, { header: true, columns });
