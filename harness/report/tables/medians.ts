/** A table with a row a setting: the base's median, and each case's beside its gain. */
import { type AnyAxis, isCompound, labelOf, textOf } from "../../../axes/axis.ts";
import { allAxes } from "../../../axes/registry.ts";
import type { Values } from "../../../schema/plan.ts";
import type { Comparisons, MediansSpec } from "../../plan/comparisons.ts";
import type { Interval } from "../../statistics/resample.ts";
import type { ResampledGain } from "./gains.ts";
import { passes, type Setting, settingKey } from "./setting.ts";
import { type Basis, basisOf } from "./statistics.ts";

export interface MedianCell extends Basis {
  case: string;
  medianMs: number | null;
  gain: number | null;
  interval: Interval | null;
}

export interface MediansTable {
  kind: "medians";
  id: string;
  title: string;
  /** What tells the rows apart, and what all of them have that is no default, in words. */
  varying: string[];
  common: string[];
  /** The base, in words, and the cases. */
  base: string;
  columns: { case: string; title: string }[];
  rows: { labels: string[]; baseMedianMs: number | null; cells: MedianCell[] }[];
}

/** @param gainsByCase in the order of the settings, which all cases share */
export function mediansTable(
  { id, title, medians, where = {} }: MediansSpec,
  base: Values,
  cases: Comparisons,
  gainsByCase: ReadonlyMap<string, readonly ResampledGain[]>,
): MediansTable {
  const shown = medians.map((one) => (gainsByCase.get(one) ?? []).filter(({ setting }) => passes(setting, where)));
  const settings = [...new Map(shown.flat().map(({ setting }) => [settingKey(setting), setting])).values()];
  const { varying, common } = telling(settings);
  const rows = settings.map((setting) => {
    const key = settingKey(setting);
    const gains = shown.map((gainsOfCase) => gainsOfCase.find((gain) => settingKey(gain.setting) === key));
    return {
      labels: varying.map((axis) => labelOf(axis, setting[axis.name]!)),
      baseMedianMs: gains.find((gain) => gain !== undefined)?.baseMedianMs ?? null,
      cells: gains.map((gain, i) => cellOf(medians[i]!, gain)),
    };
  });
  return {
    kind: "medians",
    id,
    title,
    varying: varying.map(({ name }) => name),
    common: common.map((axis) => `${axis.name} ${textOf(axis, settings[0]![axis.name]!)}`),
    base: sideLabel(base),
    columns: medians.map((one) => ({ case: one, title: cases[one]!.title })),
    rows,
  };
}

const cellOf = (caseId: string, gain: ResampledGain | undefined): MedianCell => ({
  case: caseId,
  medianMs: gain?.optionMedianMs ?? null,
  gain: gain?.gain ?? null,
  interval: gain?.interval ?? null,
  ...basisOf(gain ? [gain] : []),
});

/** One side of a comparison in words: "h1, initcwnd 3". */
export const sideLabel = (side: Values): string =>
  allAxes.flatMap((axis) => (side[axis.name] === undefined ? [] : [labelOf(axis, side[axis.name]!)])).join(", ");

/** The axes that settings differ in, and the others; a compound that stands in a setting speaks for its parts. */
function telling(settings: readonly Setting[]): Record<"varying" | "common", readonly AnyAxis[]> {
  const named = allAxes.filter(({ name }) => settings[0]?.[name] !== undefined);
  const parts = new Set(named.flatMap((axis) => (isCompound(axis) ? axis.parts : [])));
  const speaking = named.filter(({ name }) => !parts.has(name)).filter((axis) => !impliedBy(axis, named));
  const varies = ({ name }: AnyAxis) => new Set(settings.map((setting) => setting[name])).size > 1;
  const usual = (axis: AnyAxis) => "default" in axis && settings[0]?.[axis.name] === axis.default;
  return { varying: speaking.filter(varies), common: speaking.filter((axis) => !varies(axis) && !usual(axis)) };
}

/** A compound all of whose parts are another's: a rate beside its link. */
const impliedBy = (axis: AnyAxis, others: readonly AnyAxis[]): boolean =>
  isCompound(axis) &&
  others.some(
    (other) =>
      isCompound(other) &&
      other.parts.length > axis.parts.length &&
      axis.parts.every((part) => other.parts.includes(part)),
  );
