/** What a gate measures of each load, in the names of its budgets (metrics/), and how their values are written. */
import type { InGate } from "../../metrics/metric.ts";
import { gateMetrics } from "../../metrics/registry.ts";
import type { Evidence } from "../../schema/evidence.ts";

/** Of a value; equal if it is known. Both are Infinity for what a load that ended never had, such as a paint. */
export interface Bounds {
  atLeast: number;
  atMost: number;
}

/** How values are written: the units, their factors, and an example. */
interface Kind {
  example: string;
  units: Readonly<Record<string, number>>;
  print(value: number): string;
}
export const printedBytes = (bytes: number) => (bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`);
const time: Kind = { example: "2.5s or 300ms", units: { ms: 1, s: 1000 }, print: (ms) => `${Math.round(ms)} ms` };
const bytes: Kind = { example: "1MB or 300kB", units: { B: 1, kB: 1e3, KB: 1e3, MB: 1e6 }, print: printedBytes };
const kinds: Readonly<Record<string, Kind>> = { ms: time, B: bytes, kB: bytes };
const numberOf = (unit: string): Kind => ({
  example: `80${unit}`,
  units: { [unit]: 1 },
  print: (value) => [value, unit].join(" ").trim(),
});

export type GateMeasureName = string;

export interface GateMeasure extends InGate {
  title: string;
  kind: Kind;
  isTime: boolean;
  /** null if the load does not have it, as with the paint of an empty page. */
  of(evidence: Evidence): number | null;
}

const all = gateMetrics.map(({ title, unit, of, gate }): [GateMeasureName, GateMeasure] => {
  const kind = kinds[unit] ?? numberOf(unit);
  const inBytes = (evidence: Evidence) => {
    const kilobytes = of(evidence);
    return kilobytes === null ? null : Math.round(1000 * kilobytes); // whole bytes are received
  };
  return [gate.name, { title, ...gate, kind, isTime: kind === time, of: unit === "kB" ? inBytes : of }];
});
export const gateMeasures: ByMeasure<GateMeasure> = Object.fromEntries(all);
export const gateMeasureNames = Object.keys(gateMeasures);

export type ByMeasure<T> = Readonly<Record<GateMeasureName, T>>;

/** @throws for a name that is no measure's */
export function ofMeasure<T>(values: ByMeasure<T>, name: GateMeasureName): T {
  const found = values[name];
  if (found === undefined) throw new Error(`there is no measure ${name}`);
  return found;
}

/** "263 ms", "none", "longer than 10 s", "at least 12" */
export function printed(name: GateMeasureName, { atLeast, atMost }: Bounds): string {
  const { kind, isTime } = ofMeasure(gateMeasures, name);
  const { print } = kind;
  if (atLeast === Infinity) return "none";
  if (atLeast === atMost) return print(atLeast);
  if (atMost < Infinity) return `${print(atLeast)} to ${print(atMost)}`;
  return isTime ? `longer than ${Number((atLeast / 1000).toPrecision(4))} s` : `at least ${print(atLeast)}`;
}

export const printedValue = (name: GateMeasureName, value: number): string =>
  printed(name, { atLeast: value, atMost: value });

/** @returns null if the text is not a value of this measure; `exampleOf` gives a valid one */
export function parsedValue(name: GateMeasureName, text: string): number | null {
  const { units } = ofMeasure(gateMeasures, name).kind;
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(\D*)$/.exec(text.trim()) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return number === "" || factor === undefined ? null : Number(number) * factor;
}
export const exampleOf = (name: GateMeasureName): string => ofMeasure(gateMeasures, name).kind.example;
