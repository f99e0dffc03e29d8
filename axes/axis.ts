/** The definition of an axis. A file `<name>.axis.ts` exports `axis`, one axis or an array of axes, and declares the types of their values. */
import type { ZodType } from "zod";
import type { Evidence } from "../schema/evidence.ts";
import type { AxisName, AxisValue, ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import type { Patch } from "../schema/settings.ts";
import type { Ability } from "../servers/software.ts";
import { isWithoutTcp } from "./flows.ts";
import { gonePackets } from "./gone.ts";

/**
 * What a load's evidence shows about the value that an axis configured.
 * - `inconclusive`: lost packets may have hidden the value. The load counts, because repeating such loads would bias the sample; it is judged
 *   together with the condition's other loads.
 * - `notObservable`: the load cannot show the value, for a reason other than loss. `./lab verify` prints the reason.
 */
export type Verdict = "confirmed" | { inconclusive: string } | { notObservable: string } | { contradicts: string[] };

interface Named<Name extends AxisName> {
  /** As written in experiment files, on the command line and in tables. */
  name: Name;
  /** A description for `./lab list axes`. */
  title: string;
  /** An example value in command-line notation, for messages. */
  example: string;
  /** The axis that precedes this one in ids and tables; null for the first axis, which varies slowest. */
  follows: AxisName | null;
  /** Parses a value from a file or the command line. */
  value: ZodType<ConditionValues[Name]>;
  /** Formats a value for the command line. Default: the value itself. */
  text?(value: ConditionValues[Name]): string;
  /** Formats a value as the heading of a table's row or column. Default: `text`. */
  label?(value: ConditionValues[Name]): string;
  /** The value that `./lab try` uses if the axis is not given. Only for axes without a default. */
  usual?: ConditionValues[Name];
  /** The values that exist, if a registry lists them. Default: all that `value` accepts. */
  known?(registries: Registries): readonly ConditionValues[Name][];
}

/** Something that can be configured, and that a load's evidence confirms or contradicts. */
export interface Axis<Name extends AxisName = AxisName> extends Named<Name> {
  /** The name of the axis's field in a load's record, ending in the unit. */
  field: string;
  /** The axis's fields in a load's record, if they depend on the value. Default: only `field`. */
  fields?(value: ConditionValues[Name]): Readonly<Record<string, AxisValue>>;
  /** Set if even a load that never finished shows the value, as for axes of the link, of background traffic and of servers' queues. */
  shownByAnyLoad?: true;
  /** The value in experiments that do not name the axis. Without a default, every experiment must name it. */
  default?: ConditionValues[Name];
  /** The axis's part of a condition's id, omitted for the default value. If this function is absent, a compound's `id` covers the value. */
  id?(value: ConditionValues[Name]): string;
  /** Which settings of the lab the value changes. The patches of all axes are merged and applied at once. */
  sets(value: ConditionValues[Name], registries: Pick<Registries, "traces">): Patch;
  /** The ability that the value requires of the server. Checked before anything starts. */
  needs?(value: ConditionValues[Name]): Ability | null;
  /** Returns why the value cannot be combined with the condition's other values; null if it can. Checked before anything runs. */
  refuses?(value: ConditionValues[Name], all: ConditionValues, registries: Registries): string | null;
  /** Completes the message "recorded before ...". It is printed for runs whose defaults lack the axis, because the runs are older than the axis. */
  unknownBefore?: string;
  /** The verdict on every load that used only QUIC, if no other evidence can change this verdict. */
  overQuic?: Verdict;
  /** Called only by `judgeAxis`, which first checks `overQuic` and `unknownBefore`. */
  proves(value: ConditionValues[Name], all: ConditionValues, evidence: Evidence, registries: Registries): Verdict;
}

/** One name for the values of several axes, such as a link's name for its rates, RTT, loss and queue. */
export interface Compound<Name extends AxisName = AxisName, Part extends AxisName = AxisName> extends Named<Name> {
  field?: string;
  /** The axes that the compound sets. If an experiment also gives a value for one of them, this value counts. */
  parts: readonly Part[];
  expands(value: ConditionValues[Name], registries: Registries): Pick<ConditionValues, Part>;
  /** Returns the compound's value that stands for these values of its parts. */
  of(all: Pick<ConditionValues, Part>, registries: Registries): ConditionValues[Name];
  /** What a condition's id contains instead of the ids of the parts. */
  id?(all: Pick<ConditionValues, Part>, registries: Pick<Registries, "traces">): string;
}

export type AnyAxis = Axis | Compound;

export const partsOf = (axis: AnyAxis): readonly AxisName[] => (isCompound(axis) ? axis.parts : [axis.name]);

export const isCompound = (axis: AnyAxis): axis is Compound => "parts" in axis;

/** Returns the axis unchanged, so that TypeScript checks its types. */
export const defineAxis = <Name extends AxisName>(axis: Axis<Name>): Axis<Name> => axis;
export const defineCompound = <Name extends AxisName, Part extends AxisName>(
  compound: Compound<Name, Part>,
): Compound<Name, Part> => compound;

export function judgeAxis(axis: Axis, all: ConditionValues, evidence: Evidence, registries: Registries): Verdict {
  const { name, unknownBefore, overQuic } = axis;
  if (overQuic && isWithoutTcp(all, evidence, registries)) return overQuic;
  if (unknownBefore !== undefined && registries.defaults[name] === undefined)
    return { notObservable: `recorded before ${unknownBefore}` };
  return axis.proves(all[name], all, evidence, registries);
}

export const isInconclusive = (verdict: Verdict): verdict is { inconclusive: string } =>
  typeof verdict === "object" && "inconclusive" in verdict;

export const verdictOf = (problems: string[]): Verdict => (problems.length ? { contradicts: problems } : "confirmed");

/** Returns the verdict for evidence that is missing: inconclusive if a lost packet may explain it, otherwise a contradiction. */
export function hidden(evidence: Evidence, what: string): Verdict {
  return gonePackets(evidence) > 0
    ? { inconclusive: what }
    : { contradicts: [`${what}, and the link lost no packet that could explain it`] };
}

export const textOf = (axis: AnyAxis, value: AxisValue): string => axis.text?.(value) ?? String(value);
export const labelOf = (axis: AnyAxis, value: AxisValue): string => axis.label?.(value) ?? textOf(axis, value);
