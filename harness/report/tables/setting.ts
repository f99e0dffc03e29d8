/**
 * A setting: everything that two loads have in common when they are compared. It is a condition without the
 * axes that a case changes; the paper calls it a test case, e.g. page A, 1 server, 10/1 Mb/s, 20 ms, 0%.
 */
import { labelOf } from "../../../axes/axis.ts";
import { allAxes } from "../../../axes/registry.ts";
import type { Values } from "../../../schema/plan.ts";
import { type Comparison, type Filter, lostBeside } from "../../plan/comparisons.ts";

/** Axis -> value; those that the case changes are absent, and with a link all that it is made of. */
export type Setting = Values;

/** The two sides of a case, complete: what an option does not name stays as in the base. */
export interface Contrast {
  base: Values;
  option: Values;
}

export const contrast = (base: Values, { option }: Comparison): Contrast => ({ base, option: { ...base, ...option } });

/** True if a condition has all the given axis values. */
export const matches = (condition: Values, values: Values): boolean =>
  Object.entries(values).every(([axis, value]) => condition[axis] === value);

/** What stays of a condition's values when the axes of the contrast are taken away. */
export function settingOf(condition: Values, { option }: Contrast): Setting {
  const lost = lostBeside(Object.keys(option));
  return Object.fromEntries(allAxes.flatMap(({ name }) => (lost.has(name) ? [] : [[name, condition[name]!]])));
}

/** The same for equal settings. */
export const settingKey = (setting: Setting): string =>
  JSON.stringify(allAxes.map(({ name }) => setting[name] ?? null));

/** Whether two lists hold the same settings, in any order. */
export function sameSettings(some: readonly Setting[], others: readonly Setting[]): boolean {
  const keys = new Set(others.map(settingKey));
  return some.length === others.length && some.every((setting) => keys.has(settingKey(setting)));
}

/** A setting's values in the flat fields of a load's line. */
export const fieldsOf = (setting: Setting): Values =>
  Object.fromEntries(
    allAxes.flatMap(({ name, field }) => (field && setting[name] !== undefined ? [[field, setting[name]]] : [])),
  );

/** True if the setting has an allowed value in every axis of the filter. */
export const passes = (setting: Setting, filter: Filter): boolean =>
  Object.entries(filter).every(([axis, allowed]) => allowed === undefined || allowed.includes(setting[axis] ?? ""));

/** The filter in the words of the tables: "Page A, Page B, 0% PLR". */
export const filterLabel = (filter: Filter): string =>
  allAxes.flatMap((axis) => (filter[axis.name] ?? []).map((value) => labelOf(axis, value))).join(", ");
