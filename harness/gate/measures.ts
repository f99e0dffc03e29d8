/** Lists what a gate measures in each load (metrics/), by the names that budgets use, and defines how the values are written. */

import type { InGate, Metric } from "../../metrics/metric.ts";
import { gateMetrics } from "../../metrics/registry.ts";
import { entryOf } from "../../schema/registries.ts";

/** Bounds of a value, which are equal if the value is known. Both are Infinity if the load ended without a value, for example a paint. */
export interface Bounds {
  atLeast: number;
  atMost: number;
}

/** Whether a measure other than the page load time has only a lower bound. Then a paint may have come soon after this bound, later, or never. */
export const isUnknown = ({ untilLoaded }: GateMeasure, { atLeast, atMost }: Bounds): boolean =>
  !untilLoaded && atLeast < Infinity && atMost === Infinity;

/** How values are written: the units, their factors, and an example. */
interface Kind {
  isTime?: true;
  example: string;
  units: Readonly<Record<string, number>>;
  print(value: number): string;
}
export const printedBytes = (bytes: number) => (bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`);
export const roundedNumber = (value: number) => Number(value.toFixed(3));
const byUnit: Readonly<Record<string, Kind>> = {
  ms: { isTime: true, example: "2.5s or 300ms", units: { ms: 1, s: 1000 }, print: (ms) => `${Math.round(ms)} ms` },
  B: { example: "1MB or 300kB", units: { B: 1, kB: 1e3, KB: 1e3, MB: 1e6 }, print: printedBytes },
};
const kindOf = (unit: string, example = `80${unit}`): Kind =>
  byUnit[unit] ?? { example, units: { [unit]: 1 }, print: (value) => `${roundedNumber(value)} ${unit}`.trim() };

export type GateMeasureName = string;
export interface GateMeasure extends InGate, Pick<Metric, "of" | "atLeast" | "untilLoaded"> {
  title: string;
  kind: Kind;
}
export const gateMeasures: ByMeasure<GateMeasure> = Object.fromEntries(
  gateMetrics.map(({ title, unit, gate, ...metric }) => [
    gate.name,
    { ...metric, title, ...gate, kind: kindOf(unit, gate.example) },
  ]),
);
export const gateMeasureNames = Object.keys(gateMeasures);

export type ByMeasure<T> = Readonly<Record<GateMeasureName, T>>;

export const ofMeasure = <T>(values: ByMeasure<T>, name: GateMeasureName): T => entryOf(values, "measures", name);

/** Prints bounds: "263 ms", "none", "unknown", "longer than 10 s", "at least 12". */
export function printed(name: GateMeasureName, { atLeast, atMost }: Bounds): string {
  const { print, isTime } = ofMeasure(gateMeasures, name).kind;
  if (atLeast === Infinity) return "none";
  if (atLeast === atMost) return print(atLeast);
  if (atMost < Infinity) return `${print(atLeast)} to ${print(atMost)}`;
  if (atLeast === 0) return "unknown";
  return isTime ? `longer than ${Number((atLeast / 1000).toPrecision(4))} s` : `at least ${print(atLeast)}`;
}

/** @returns null if the text is not a value of this measure; `exampleOf` gives a valid one */
export function parsedValue(name: GateMeasureName, text: string): number | null {
  const { units } = ofMeasure(gateMeasures, name).kind;
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(\D*)$/.exec(text.trim()) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return number === "" || factor === undefined ? null : Number(number) * factor;
}
export const exampleOf = (name: GateMeasureName): string => ofMeasure(gateMeasures, name).kind.example;
