/** What an axis is. Each is one file of this folder, `<name>.axis.ts`, that exports `axis`. */
import type { ZodType } from "zod";
import type { Evidence } from "../schema/evidence.ts";
import type { AxisValue, Values } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import type { Patch } from "../schema/settings.ts";

/**
 * What a load's evidence says of what an axis asked for.
 * - `undecided`: the link's chance hid it this time. The load counts, is never tried again for it (that would select by
 *   what chance did), and is judged with the condition's other loads.
 * - `unseen`: nothing in the record could show it; said in `./lab verify`.
 */
export type Verdict = "held" | { undecided: string } | { unseen: string } | { contradicts: string[] };

interface Named<V extends AxisValue> {
  /** In experiment files, on the command line and in tables. */
  name: string;
  /** What it is, for `./lab list axes`. */
  title: string;
  /** A value as the command line writes it, for messages. */
  example: string;
  /** Its place among the axes: in ids, tables, and what varies slowest. In steps of ten, so that another fits between. */
  place: number;
  /** A value as files and the command line write it -> the value. */
  value: ZodType<V>;
  /** A value as the command line writes it; as it is, if not given. */
  text?(value: V): string;
  /** A value as tables head their rows and columns; as `text`, if not given. */
  label?(value: V): string;
  /** What `./lab try` takes where nobody says; experiments must name it. Not beside a default. */
  usual?: V;
  /** The values there are, where a registry says so; any that `value` takes, if not given. */
  known?(registries: Registries): readonly V[];
}

/** Something that can be asked for, set, and proven. */
export interface Axis<V extends AxisValue = AxisValue> extends Named<V> {
  /** Its field in a load's line, with the unit at its end. */
  field: string;
  /** For experiments that do not name the axis; without one, each must. */
  default?: V;
  /** Its part of a condition's id; left out where the value is the default. Not given: a compound says it. */
  id?(value: V, all: Values): string;
  /** What it does to the lab. All axes' patches are merged, and applied at once. */
  sets(value: V, all: Values, registries: Registries): Patch;
  /** Why the value cannot be had beside the others, or null. Asked before anything runs. */
  refuses?(value: V, all: Values, registries: Registries): string | null;
  /** @param all the condition's values */
  proves(value: V, all: Values, evidence: Evidence, registries: Registries): Verdict;
}

/** One name for the values of several axes, as a link's is for its rates, RTT, loss and queue. */
export interface Compound<V extends AxisValue = AxisValue> extends Named<V> {
  /** Its field in a load's line, if it has one. */
  field?: string;
  /** The axes it gives values to; one that an experiment names itself keeps its own. */
  parts: readonly string[];
  expands(value: V, registries: Registries): Values;
  /** The name of what a condition has, whatever it was made of. */
  of(all: Values, registries: Registries): V;
  /** Its part of a condition's id, for all its parts. */
  id?(all: Values): string;
}

export type AnyAxis = Axis | Compound;

export const isCompound = (axis: AnyAxis): axis is Compound => "parts" in axis;

/** The axis, in its general form. */
export const defineAxis = <V extends AxisValue>(axis: Axis<V>): Axis => axis as unknown as Axis;
export const defineCompound = <V extends AxisValue>(compound: Compound<V>): Compound => compound as unknown as Compound;

export const isUndecided = (verdict: Verdict): verdict is { undecided: string } =>
  typeof verdict === "object" && "undecided" in verdict;

/** Held, unless something contradicts. */
export const verdictOf = (problems: string[]): Verdict => (problems.length ? { contradicts: problems } : "held");

/** For what could not be seen: chance hid it if the link lost or dropped a packet of this load; else it is missing. */
export function hidden({ link: { down, up } }: Evidence, what: string): Verdict {
  const gone = [down, up].reduce((sum, one) => sum + one.lostPackets + one.queueDroppedPackets, 0);
  return gone > 0
    ? { undecided: what }
    : { contradicts: [`${what}, and the link lost no packet that could explain it`] };
}

export const textOf = (axis: AnyAxis, value: AxisValue): string => axis.text?.(value) ?? String(value);
export const labelOf = (axis: AnyAxis, value: AxisValue): string => axis.label?.(value) ?? textOf(axis, value);
