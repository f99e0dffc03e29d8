/**
 * What an axis is. Each is one file of this folder, `<name>.axis.ts`, that exports `axis` and declares the type of
 * its values. Axes that share a definition share a file.
 */
import type { ZodType } from "zod";
import type { Evidence } from "../schema/evidence.ts";
import type { AxisName, AxisValue, ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import type { Patch } from "../schema/settings.ts";
import type { Ability } from "../servers/software.ts";
import { isOverQuic } from "./flows.ts";

/**
 * What a load's evidence shows of the value that an axis configured.
 * - `inconclusive`: random loss hid it in this load. The load counts and is not repeated, because repeating it would select
 *   loads by chance; it is judged together with the condition's other loads.
 * - `notObservable`: no record of such a load could show it. `./lab verify` prints why.
 */
export type Verdict = "confirmed" | { inconclusive: string } | { notObservable: string } | { contradicts: string[] };

interface Named<Name extends AxisName> {
  /** In experiment files, on the command line and in tables. */
  name: Name;
  /** What it is, for `./lab list axes`. */
  title: string;
  /** A value as the command line writes it, for messages. */
  example: string;
  /** The axis that it stands after in ids and tables; null for the first, which varies slowest. */
  follows: AxisName | null;
  /** Reads a value as files and the command line write it. */
  value: ZodType<ConditionValues[Name]>;
  /** A value as the command line writes it. Without it, the value itself. */
  text?(value: ConditionValues[Name]): string;
  /** A value as the heading of a table's row or column. Without it, `text`. */
  label?(value: ConditionValues[Name]): string;
  /** What `./lab try` takes when the axis is not given; experiments must name it. Only where there is no default. */
  usual?: ConditionValues[Name];
  /** The values that exist, if a registry lists them. Without it, all that `value` accepts. */
  known?(registries: Registries): readonly ConditionValues[Name][];
}

/** Something that can be configured, and that a load's evidence confirms or contradicts. */
export interface Axis<Name extends AxisName = AxisName> extends Named<Name> {
  /** Its field in a load's line, with the unit at its end. */
  field: string;
  /** Its fields, if they depend on the value. Without it, `field` alone. */
  fields?(value: ConditionValues[Name]): Readonly<Record<string, AxisValue>>;
  /** For experiments that do not name the axis. Without it, each must. */
  default?: ConditionValues[Name];
  /** Its part of a condition's id, left out for the default. Without it, a compound has it. */
  id?(value: ConditionValues[Name]): string;
  /** Which settings of the lab it changes. The patches of all axes are merged and applied at once. */
  sets(value: ConditionValues[Name]): Patch;
  /** What the server must be able to do for the value. Asked before anything starts. */
  needs?(value: ConditionValues[Name]): Ability | null;
  /** Why the value is impossible together with the condition's others, or null. Asked before anything runs. */
  refuses?(value: ConditionValues[Name], all: ConditionValues, registries: Registries): string | null;
  /** The end of "recorded before ...": the reason printed for runs that are older than the axis, whose defaults lack it. */
  unknownBefore?: string;
  /** The verdict on a load over QUIC, if it is the same for each. */
  overQuic?: Verdict;
  /** Asked by `judgeAxis` alone, which first looks at the two above. */
  proves(value: ConditionValues[Name], all: ConditionValues, evidence: Evidence, registries: Registries): Verdict;
}

/** One name for the values of several axes, such as a link's name for its rates, RTT, loss and queue. */
export interface Compound<Name extends AxisName = AxisName, Part extends AxisName = AxisName> extends Named<Name> {
  /** Its field in a load's line, if it has one. */
  field?: string;
  /** The axes that it gives values to, unless an experiment names them itself. */
  parts: readonly Part[];
  expands(value: ConditionValues[Name], registries: Registries): Pick<ConditionValues, Part>;
  /** The name of what a condition has. */
  of(all: Pick<ConditionValues, Part>, registries: Registries): ConditionValues[Name];
  /** The part of a condition's id that stands for all its parts. */
  id?(all: Pick<ConditionValues, Part>): string;
}

export type AnyAxis = Axis | Compound;

/** The axes that a compound gives values to; an axis itself. */
export const partsOf = (axis: AnyAxis): readonly AxisName[] => (isCompound(axis) ? axis.parts : [axis.name]);

export const isCompound = (axis: AnyAxis): axis is Compound => "parts" in axis;

/** Checks the types of one axis. */
export const defineAxis = <Name extends AxisName>(axis: Axis<Name>): Axis<Name> => axis;
export const defineCompound = <Name extends AxisName, Part extends AxisName>(
  compound: Compound<Name, Part>,
): Compound<Name, Part> => compound;

/** What a load's evidence shows of an axis. */
export function judgeAxis(axis: Axis, all: ConditionValues, evidence: Evidence, registries: Registries): Verdict {
  const { name, unknownBefore, overQuic } = axis;
  if (overQuic && isOverQuic(all, registries)) return overQuic;
  if (unknownBefore !== undefined && registries.defaults[name] === undefined)
    return { notObservable: `recorded before ${unknownBefore}` };
  return axis.proves(all[name], all, evidence, registries);
}

export const isInconclusive = (verdict: Verdict): verdict is { inconclusive: string } =>
  typeof verdict === "object" && "inconclusive" in verdict;

/** Confirmed, unless something contradicts. */
export const verdictOf = (problems: string[]): Verdict => (problems.length ? { contradicts: problems } : "confirmed");

/** For what was not seen: inconclusive if the link lost or dropped a packet of this load, which may have shown it; else it is missing. */
export function hidden({ link: { down, up } }: Evidence, what: string): Verdict {
  const lost = [down, up].reduce((sum, one) => sum + one.lostPackets + one.queueDroppedPackets, 0);
  return lost > 0
    ? { inconclusive: what }
    : { contradicts: [`${what}, and the link lost no packet that could explain it`] };
}

export const textOf = (axis: AnyAxis, value: AxisValue): string => axis.text?.(value) ?? String(value);
export const labelOf = (axis: AnyAxis, value: AxisValue): string => axis.label?.(value) ?? textOf(axis, value);
