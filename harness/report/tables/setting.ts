/**
 * A setting: everything that two loads have in common when they are compared. It is a condition without the
 * axes that a case changes; the paper calls it a test case, e.g. page A, 1 server, 10/1 Mb/s, 20 ms, 0%.
 */
import { type AxisName, axisNames, type FlatCondition } from "../../../schema/model.ts";
import type { AxisValues, Case } from "./spec.ts";

/** Fields of axes that the case changes are absent; with `channel` go all fields of the link. */
export type Setting = Partial<Omit<FlatCondition, "condition">>;

const linkFields = ["downMbps", "upMbps", "rttMs", "lossPercent", "queuePackets"] as const;

/** The two sides of a case, complete: what an option does not name stays as in the base. */
export interface Contrast {
  base: AxisValues;
  option: AxisValues;
}

export const contrast = (base: AxisValues, { option }: Case): Contrast => ({ base, option: { ...base, ...option } });

/** True if the condition has all the given axis values. */
export const matches = (condition: FlatCondition, values: AxisValues): boolean =>
  axisNames.every((axis) => values[axis] === undefined || values[axis] === condition[axis]);

/** What stays of a condition when the axes of the contrast are taken away. */
export function settingOf(condition: FlatCondition, { option }: Contrast): Setting {
  const kept = axisNames.filter((axis) => option[axis] === undefined);
  const fields: (keyof Setting)[] = option.channel === undefined ? [...kept, ...linkFields] : kept;
  return Object.fromEntries(fields.map((field) => [field, condition[field]]));
}

/** The same for equal settings. The channel's name stands for its link. */
export const settingKey = (setting: Setting): string =>
  JSON.stringify(axisNames.map((axis: AxisName) => setting[axis] ?? null));
