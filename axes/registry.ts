import { addedModules } from "../hosts/added-modules.ts";
import { filesEndingIn, loadEntries, modulesIn } from "../schema/entries.ts";
import { usageError } from "../schema/errors.ts";
import { type AnyAxis, type Axis, type Compound, isCompound } from "./axis.ts";

const entries = await loadEntries<AnyAxis | AnyAxis[]>(
  filesEndingIn(".axis.ts", "axes"),
  "axis",
  (name) => import(`./${name}.axis.ts`),
  modulesIn(addedModules, "axes"),
);
const found = entries.flat();

/** Orders each axis after the axis that it follows. Of axes that follow the same axis, those with the fewest followers, direct or not, are first. */
function inOrder(follows: string | null): AnyAxis[] {
  const branches = found.filter((axis) => axis.follows === follows).map((axis) => [axis, ...inOrder(axis.name)]);
  return branches.sort((a, b) => a.length - b.length).flat();
}

/** Every axis and compound, in the order of ids and tables. */
export const allAxes: readonly AnyAxis[] = inOrder(null);
const lost = found.filter((axis) => !allAxes.includes(axis)).map(({ name, follows }) => `${name} follows "${follows}"`);
if (lost.length)
  throw new Error(`axes that do not follow the first axis, directly or through others: ${lost.join(", ")}`);

/** All axes except compounds: only these are configured and confirmed. */
export const axes: readonly Axis[] = allAxes.filter((axis): axis is Axis => !isCompound(axis));
export const compounds: readonly Compound[] = allAxes.filter(isCompound);

export const axisNames: readonly string[] = allAxes.map(({ name }) => name);

/** @param where what contains the name, for the message @throws LabError (usage) that lists the known axes */
export function axisNamed(name: string, where: string): AnyAxis {
  const axis = allAxes.find((one) => one.name === name);
  if (!axis) throw usageError(`${where}: unknown axis "${name}"; known: ${axisNames.join(", ")}`);
  return axis;
}
