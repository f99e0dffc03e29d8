/** Budgets: what a page may take at most, over all links of a gate or over one. */
import { usageError } from "../../schema/errors.ts";
import { exampleOf, type GateMeasureName, gateMeasureNames, parsedValue } from "./measures.ts";

export interface Budget {
  measure: GateMeasureName;
  most: number;
  /** null: all of them. */
  link: string | null;
}

/** @param text "pageLoad=3s,requests=80", or with a link, "4G: pageLoad=4s" @throws LabError (usage) that says what is allowed */
export function budgetsOf(text: string, links: readonly string[]): Budget[] {
  const [, named, list = ""] = /^(?:([^=]*):)?(.*)$/s.exec(text)!;
  const link = named?.trim() ?? null;
  const where = `--budget ${text}`;
  if (link !== null && !links.includes(link))
    throw usageError(`${where}: the gate has no link "${link}"; it has ${links.join(", ")}`);
  return list.split(",").map((one) => {
    const [name = "", value = ""] = one.split(/=(.*)/s).map((part) => part.trim());
    const measure = gateMeasureNames.find((known) => known === name);
    if (!measure) throw usageError(`${where}: there is no measure "${name}"; there is: ${gateMeasureNames.join(", ")}`);
    const most = parsedValue(measure, value);
    if (most === null) throw usageError(`${where}: "${value}" is no value of ${name}; write ${exampleOf(measure)}`);
    return { measure, most, link };
  });
}

/** A share: "2%" is 0.02. @throws LabError (usage) */
export function thresholdOf(text: string): number {
  const percent = Number(/^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim())?.[1] ?? Number.NaN);
  if (percent <= 100) return percent / 100;
  throw usageError(`--threshold ${text}: a share from 0% to 100% is needed, as in 2%`);
}
