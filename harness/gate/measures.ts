/** What a gate measures of each load, in the names of its budgets. */
import { lookup } from "mrmime";
import { sum } from "simple-statistics";
import { largestContentfulMs } from "../../metrics/contentful-paint.metric.ts";
import type { Evidence, RequestEvidence } from "../../schema/evidence.ts";

/** Of a value; equal if it is known. Both are Infinity for what a load that ended never had, such as a paint. */
export interface Bounds {
  atLeast: number;
  atMost: number;
}

/** How values are written: the unit, its factors, and an example. */
interface Kind {
  example: string;
  units: Readonly<Record<string, number>>;
  print(value: number): string;
}
export const printedBytes = (bytes: number) => (bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`);
const kinds = {
  time: { example: "2.5s or 300ms", units: { ms: 1, s: 1000 }, print: (ms: number) => `${Math.round(ms)} ms` },
  count: { example: "80", units: { "": 1 }, print: String },
  bytes: { example: "1MB or 300kB", units: { B: 1, kB: 1e3, KB: 1e3, MB: 1e6 }, print: printedBytes },
} satisfies Record<string, Kind>;

/** Types of files, by Lighthouse's names, and their media types, which servers take from the ending of the file's name. */
const fileTypes = {
  document: /^text\/html$/,
  script: /javascript$/,
  stylesheet: /^text\/css$/,
  image: /^image\//,
  font: /^font\/|^application\/vnd\.ms-fontobject$/,
} as const;
type FileType = keyof typeof fileTypes;
const fileTypeNames = Object.keys(fileTypes) as FileType[];

export type GateMeasureName =
  | ("pageLoad" | "firstContentfulPaint" | "largestContentfulPaint" | "requests" | "bytes" | "connections")
  | `${FileType}${"Requests" | "Bytes"}`;

export interface GateMeasure {
  title: string;
  kind: keyof typeof kinds;
  /** Shown only where a budget has it. */
  ofOneType?: true;
  /** Before and after are compared, and up to this difference the instrument alone may be the cause. Without it, the measure is for budgets only. */
  comparedFromMs?: number;
  /** null if the load does not have it, as with the paint of an empty page. */
  of(load: Measured): number | null;
}

interface Measured {
  evidence: Evidence;
}

/** A browser paints 60 times a second, and reports paints in steps of 4 ms: any edit can move one into the next frame. */
const frameMs = 1000 / 60 + 4;

const requestsFor = ({ evidence }: Measured, type: FileType): RequestEvidence[] =>
  evidence.connections
    .flatMap(({ requests }) => requests)
    .filter(({ path }) => fileTypes[type].test(lookup(path) ?? ""));

const ofFileTypes = Object.fromEntries(
  fileTypeNames.flatMap((type): [GateMeasureName, GateMeasure][] => [
    [
      `${type}Requests`,
      {
        title: `requests for type ${type}`,
        kind: "count",
        ofOneType: true,
        of: (load) => requestsFor(load, type).length,
      },
    ],
    [
      `${type}Bytes`,
      {
        title: `bytes of type ${type}`,
        kind: "bytes",
        ofOneType: true,
        of: (load) => sum(requestsFor(load, type).map(({ bytes }) => bytes)),
      },
    ],
  ]),
) as Record<`${FileType}${"Requests" | "Bytes"}`, GateMeasure>;

export const gateMeasures: Readonly<Record<GateMeasureName, GateMeasure>> = {
  pageLoad: {
    title: "page load",
    kind: "time",
    comparedFromMs: 0,
    of: ({ evidence }) => evidence.timing.loadEventStart ?? null,
  },
  firstContentfulPaint: {
    title: "first contentful paint",
    kind: "time",
    comparedFromMs: frameMs,
    of: ({ evidence }) => evidence.paint?.firstContentfulMs ?? null,
  },
  largestContentfulPaint: {
    title: "largest contentful paint",
    kind: "time",
    comparedFromMs: frameMs,
    of: ({ evidence: { paint } }) => (paint ? largestContentfulMs(paint) : null),
  },
  requests: { title: "requests", kind: "count", of: ({ evidence }) => evidence.requests },
  bytes: { title: "bytes", kind: "bytes", of: ({ evidence }) => evidence.receivedBytes },
  connections: {
    title: "connections",
    kind: "count",
    of: ({ evidence }) => sum(evidence.connections.map(({ requests }) => Math.min(1, requests.length))),
  },
  ...ofFileTypes,
};
export const gateMeasureNames = Object.keys(gateMeasures) as GateMeasureName[];

export const comparedMeasures = gateMeasureNames.filter((name) => gateMeasures[name].comparedFromMs !== undefined);

/** "263 ms", "none", "longer than 10 s", "at least 12" */
export function printed(name: GateMeasureName, { atLeast, atMost }: Bounds): string {
  const { kind } = gateMeasures[name];
  const print = (value: number) => kinds[kind].print(value);
  if (atLeast === Infinity) return "none";
  if (atLeast === atMost) return print(atLeast);
  if (atMost < Infinity) return `${print(atLeast)} to ${print(atMost)}`;
  return kind === "time" ? `longer than ${Number((atLeast / 1000).toPrecision(4))} s` : `at least ${print(atLeast)}`;
}

export const printedValue = (name: GateMeasureName, value: number): string =>
  printed(name, { atLeast: value, atMost: value });

/** @returns null if the text is no value of this measure; `exampleOf` gives a valid one */
export function parsedValue(name: GateMeasureName, text: string): number | null {
  const { units }: Kind = kinds[gateMeasures[name].kind];
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-zA-Z]*)$/.exec(text.trim()) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return number === "" || factor === undefined ? null : Number(number) * factor;
}
export const exampleOf = (name: GateMeasureName): string => kinds[gateMeasures[name].kind].example;
