import { filesEndingIn, loadEntries } from "../schema/entries.ts";
import { usageError } from "../schema/errors.ts";
import { type AnyAxis, type Axis, type Compound, isCompound } from "./axis.ts";

const found = await loadEntries<AnyAxis>(
  filesEndingIn(".axis.ts", "axes"),
  "axis",
  (name) => import(`./${name}.axis.ts`),
);

/** Every axis and compound, in their places. */
export const allAxes: readonly AnyAxis[] = found.sort((a, b) => a.place - b.place);
/** Those that are set and proven. */
export const axes: readonly Axis[] = allAxes.filter((axis): axis is Axis => !isCompound(axis));
/** Those that stand for others. */
export const compounds: readonly Compound[] = allAxes.filter(isCompound);

export const axisNames: readonly string[] = allAxes.map(({ name }) => name);

/**
 * @param where what names it, for the message
 * @throws LabError (usage) that lists what there is
 */
export function axisNamed(name: string, where: string): AnyAxis {
  const axis = allAxes.find((one) => one.name === name);
  if (!axis) throw usageError(`${where}: there is no axis "${name}"; there is: ${axisNames.join(", ")}`);
  return axis;
}
