/** The question that a run answers, in one sentence, and the axes that it varies. */
import { type AnyAxis, isCompound, labelOf, partsOf } from "../../../axes/axis.ts";
import { tracesIn } from "../../../axes/link-values.ts";
import { allAxes, compounds } from "../../../axes/registry.ts";
import type { AxisName, AxisValue, Condition, Values } from "../../../schema/plan.ts";
import { isImported, type Registries } from "../../../schema/registries.ts";
import { readProtocols } from "../../../servers/protocols.ts";
import { type ComparedExperiment, type Contrast, contrast } from "../../plan/comparisons.ts";
import type { Manifest } from "../../record/manifest.ts";

const axisOf = (name: string): AnyAxis => allAxes.find((axis) => axis.name === name)!;

/** The axes on which conditions differ, in registry order. A compound axis replaces its parts if the parts vary only together. */
export type VariedAxis = ReturnType<typeof variedAxes>[number];
export function variedAxes(conditions: readonly Condition[], registries: Registries) {
  const valuesOf = (name: AxisName) => [...new Set(conditions.map(({ values }) => values[name]))];
  const varies = (name: AxisName) => valuesOf(name).length > 1;
  const together = compounds.filter(({ name, parts }) => {
    const varied = parts.filter(varies);
    return varied.length > 1 && varied.every((part) => valuesOf(part).length === valuesOf(name).length);
  });
  const replaced = new Set(together.flatMap(({ parts }) => parts));
  const shown = allAxes.filter((axis) => (isCompound(axis) ? together.includes(axis) : varies(axis.name)));
  return shown.flatMap((axis) => {
    const { name, title } = axis;
    const covered =
      replaced.has(name) || together.some(({ parts }) => isCompound(axis) && axis.parts.length < parts.length);
    if (covered) return [];
    const values = valuesOf(name).map((value) => {
      return { value, label: labelled(axis, value), about: aboutOf(axis, value, registries) };
    });
    return [{ name, title, values }];
  });
}

const units: Record<string, string> = { Mbps: " Mb/s", Ms: " ms", Percent: "%", Packets: " packets" };

let protocols: ReturnType<typeof readProtocols> | null = null;
/** Returns the protocol's title in the present servers/protocols.yml, or the protocol's name if the file no longer has it. */
function protocolTitle(value: AxisValue): string {
  protocols ??= readProtocols();
  return protocols[value]?.title ?? String(value);
}

/** Returns a value with its unit or the name of its axis, so that readers can understand it alone. */
export function labelled(axis: AnyAxis, value: AxisValue): string {
  const unit = Object.entries(units).find(([ending]) => axis.field?.endsWith(ending))?.[1];
  const shown = value === 1 && unit === units.Packets ? " packet" : unit;
  if (unit !== undefined && typeof value === "number")
    return `${axis.name === "rtt" ? "" : `${axis.name} `}${value}${shown}`;
  if (axis.name === "protocol") return protocolTitle(value);
  if (axis.name === "rate") return `${value} Mb/s`;
  return labelOf(axis, value);
}

const inWords = (values: Values, isMeant: (axis: string) => boolean): string =>
  Object.entries(values)
    .filter(([name]) => isMeant(name))
    .map(([name, value]) => labelled(axisOf(name), value))
    .join(", ");

/** Describes both sides of a comparison by the values that differ between them, and by those that they share. */
export function contrastInWords({ baseline, option }: Contrast) {
  const isShared = (name: string) => baseline[name] === option[name];
  return {
    baseline: inWords(baseline, (name) => !isShared(name)),
    option: inWords(option, (name) => !isShared(name)),
    shared: inWords(baseline, isShared),
  };
}

/** Describes a page that was not imported. Other values get no description. */
function aboutOf({ name }: AnyAxis, value: AxisValue, { pages }: Registries): string | undefined {
  const page = name === "page" ? pages[value] : undefined;
  if (!page || isImported(page)) return undefined;
  return `${page.requests} ${page.requests === 1 ? "request" : "requests"}, ${(page.bodyBytes / 1e6).toPrecision(2)} MB`;
}

/** Lays out the axes that no comparison changes: axes of the link as columns, others as rows; if all are rows, the last of several as a column. */
export function layoutOf(
  varied: readonly VariedAxis[],
  { comparisons }: ComparedExperiment,
  { values, settings }: Condition,
) {
  const partsOfNamed = (name: string) => partsOf(axisOf(name));
  const changed = new Set(
    Object.values(comparisons).flatMap(({ option }) => Object.keys(option).flatMap(partsOfNamed)),
  );
  const scenarioAxes = varied
    .map(({ name }) => name)
    .filter((name) => !partsOfNamed(name).some((part) => changed.has(part)));
  const isOfLink = (name: string): boolean => {
    const axis = axisOf(name);
    return isCompound(axis)
      ? axis.parts.every(isOfLink)
      : axis.sets(values[axis.name], tracesIn(settings.link)).link !== undefined;
  };
  const columns = scenarioAxes.filter(isOfLink);
  const rows = scenarioAxes.filter((name) => !columns.includes(name));
  if (columns.length === 0 && rows.length > 1) return { rows: rows.slice(0, -1), columns: rows.slice(-1) };
  return { rows, columns };
}

/** @param compared the comparisons whose two sides are both in the run */
export function askedSentence(
  { experiment, registries, clock, loads }: Manifest,
  conditions: readonly Condition[],
  compared: readonly string[],
): string {
  const changes = compared.map((id) => {
    const { baseline, option } = contrastInWords(contrast(experiment.baseline, experiment.comparisons[id]!));
    return `with ${option} in place of ${baseline}`;
  });
  const question = changes.length
    ? `How much faster do pages load ${changes.join("; ")}?`
    : "How long do pages take to load?";
  const over = variedAxes(conditions, registries).map(({ name }) => name);
  const where = over.length ? `${conditions.length} conditions of ${over.join(" × ")}` : "One condition";
  const each = loads === 1 ? "one load each" : `${loads} loads each`;
  return `${question} ${where}, ${each}, on the ${clock} clock.`;
}
