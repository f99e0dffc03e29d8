/** Budgets: upper limits for a page's measures, over all links of a gate or over one link. */
import { usageError } from "../../schema/errors.ts";
import type { Manifest } from "../record/manifest.ts";
import { exampleOf, type GateMeasureName, gateMeasureNames, parsedValue } from "./measures.ts";

type RecordedBudgets = NonNullable<Manifest["demands"]>["budgets"];

export interface Budget {
  measure: GateMeasureName;
  most: number;
  /** null for all links. */
  link: string | null;
}

/** @param text "pageLoad=3s,requests=80", or "4G: pageLoad=4s" for one link @throws LabError (usage) whose message shows what is allowed */
export function budgetsOf(text: string, links: readonly string[]): Budget[] {
  const [, link, list = ""] = /^(?:([^=]*):)?(.*)$/s.exec(text)!;
  const most = list.split(",").map((one): [string, string] => {
    const [name = "", value = ""] = one.split(/=(.*)/s).map((part) => part.trim());
    return [name, value];
  });
  return budgetsOn(link?.trim() ?? null, most, links, `--budget ${text}`);
}

/** The budgets of a gate's file: link -> measure -> limit. The link `all` is every link. */
export type FileBudgets = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** @throws LabError (usage) whose message shows what is allowed */
export const budgetsInFile = (budgets: FileBudgets, links: readonly string[]): Budget[] =>
  Object.entries(budgets).flatMap(([link, most]) =>
    budgetsOn(link === "all" ? null : link, Object.entries(most), links, `--config: budgets: ${link}`),
  );

/** Reads the budgets that a run recorded. Runs before 2026-11-27 recorded them as they were typed on the command line. */
export const recordedBudgets = (budgets: RecordedBudgets, links: readonly string[]): Budget[] =>
  budgets.flatMap((one) =>
    typeof one === "string" ? budgetsOf(one, links) : { ...one, measure: measureNamed(one.measure, "run.json") },
  );

function budgetsOn(
  link: string | null,
  most: readonly [measure: string, value: string | number][],
  links: readonly string[],
  where: string,
): Budget[] {
  if (link !== null && !links.includes(link))
    throw usageError(`${where}: the gate has no link "${link}"; it has ${links.join(", ")}`);
  return most.map(([name, value]) => {
    const measure = measureNamed(name, where);
    const parsed = parsedValue(measure, String(value));
    if (parsed === null)
      throw usageError(`${where}: "${value}" is not a value of ${name}; write ${exampleOf(measure)}`);
    return { measure, most: parsed, link };
  });
}

function measureNamed(name: string, where: string): GateMeasureName {
  const measure = gateMeasureNames.find((known) => known === name);
  if (!measure) throw usageError(`${where}: unknown measure "${name}"; known: ${gateMeasureNames.join(", ")}`);
  return measure;
}

/** Converts a percentage to a share: "2%" is 0.02. @throws LabError (usage) */
export function thresholdOf(text: string): number {
  const percent = Number(/^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim())?.[1] ?? Number.NaN);
  if (percent <= 100) return percent / 100;
  throw usageError(`--threshold ${text}: a share from 0% to 100% is needed, as in 2%`);
}
