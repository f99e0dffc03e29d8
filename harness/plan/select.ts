/** Changes an experiment as the command line demands: --only selects conditions, --with replaces the values of axes. */
import { type AnyAxis, partsOf, textOf } from "../../axes/axis.ts";
import { allAxes, axisNamed } from "../../axes/registry.ts";
import { usageError } from "../../schema/errors.ts";
import type { AxisValue, Values } from "../../schema/plan.ts";
import type { Varied } from "./conditions.ts";
import { valuesInRange } from "./value-range.ts";

/** @param given "axis=value[,value]" @throws LabError (usage) that says what is wrong and what is allowed */
export function parse(flag: string, given: string): { axis: AnyAxis; values: AxisValue[] } {
  const [name = "", list] = given.split(/=(.*)/s);
  const axis = axisNamed(name, `${flag} ${given}`);
  if (!list) throw usageError(`${flag} ${given}: give one or more values, as in ${flag} ${name}=${axis.example}`);
  return { axis, values: valuesIn(axis, list, `${flag} ${given}`) };
}

/** @param list "value[,value]", or ranges @param where for error messages @throws LabError (usage) for an invalid value */
export function valuesIn(axis: AnyAxis, list: string, where: string): AxisValue[] {
  return list.split(",").flatMap((text) => {
    const parsed = axis.value.safeParse(text.trim());
    if (parsed.success) return parsed.data;
    const range = rangeIn(axis, text, where);
    if (range) return range;
    throw usageError(`${where}: ${parsed.error.issues[0]!.message}`);
  });
}

function rangeIn({ value }: AnyAxis, text: string, where: string): AxisValue[] | null {
  try {
    return valuesInRange(value, text);
  } catch (error) {
    throw usageError(`${where}: ${(error as Error).message}`);
  }
}

/** @param filters "axis=value,value"; all apply together @throws LabError (usage) for an unknown axis or value, or if no condition is left */
export function select<Chosen extends { values: Values }>(conditions: Chosen[], filters: readonly string[]): Chosen[] {
  return filters.reduce((left, filter) => {
    const { axis, values } = parse("--only", filter);
    const has = [...new Set(conditions.map((condition) => condition.values[axis.name]!))];
    for (const value of values)
      if (!has.includes(value))
        throw usageError(
          `--only ${filter}: unknown ${axis.name} "${textOf(axis, value)}"; known: ${has.map((one) => textOf(axis, one)).join(", ")}`,
        );
    const kept = left.filter((condition) => values.includes(condition.values[axis.name]!));
    if (kept.length === 0)
      throw usageError(`--only ${filter}: no condition is left, because all --only apply together`);
    return kept;
  }, conditions);
}

/** Replaces the values of axes, also in `together`. @param replacements "axis=value,value" @throws LabError (usage) if a replacement is invalid */
export function replace(varied: Varied, replacements: readonly string[]): Varied {
  const parsed = replacements.map((one) => parse("--with", one));
  parsed.forEach(({ axis }, i) => {
    if (parsed.findIndex((one) => one.axis === axis) < i)
      throw usageError(`--with ${axis.name} is given twice; give all its values at once`);
  });
  return parsed.reduce((result, { axis, values }) => {
    const replaced = overriding(axis);
    const kept = Object.entries(result.axes).filter(([name]) => !replaced.includes(name));
    const rows = (result.together ?? []).map(
      (row): Values => Object.fromEntries(Object.entries(row).filter(([name]) => !replaced.includes(name))),
    );
    const together = rows.filter(
      (row, i) =>
        Object.keys(row).length > 0 && i === rows.findIndex((one) => JSON.stringify(one) === JSON.stringify(row)),
    );
    return { axes: { ...Object.fromEntries(kept), [axis.name]: [...new Set(values)] }, together };
  }, varied);
}

/** Returns the axes whose values a new value of `axis` replaces: the axis itself and, for a compound, all its parts and smaller compounds. */
const overriding = (axis: AnyAxis): string[] =>
  allAxes.filter((one) => partsOf(one).every((part) => partsOf(axis).includes(part))).map(({ name }) => name);
