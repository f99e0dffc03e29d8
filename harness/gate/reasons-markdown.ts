/** Prints where a gate's differences come from, one reason per line. */
import { inMarkdown } from "../../schema/foreign-words.ts";
import { parts } from "../explain/parts.ts";
import type { BeforePaint } from "./before-paint.ts";
import type { GateRow } from "./gate-report.ts";
import { type GateMeasureName, gateMeasures, ofMeasure, printedBytes } from "./measures.ts";
import type { ChangedFile, Reasons } from "./reasons.ts";

/** @returns no lines if no difference is beyond the threshold */
export function reasonLines(
  { comparisons, reasons }: Pick<GateRow, "comparisons" | "reasons">,
  threshold: number,
): string[] {
  const differs = (measure: GateMeasureName): boolean => {
    const { low = 0, high = 0 } = comparisons[measure]?.difference ?? {};
    const { comparedFrom: allowed = threshold } = ofMeasure(gateMeasures, measure);
    return low > allowed || high < -allowed;
  };
  if (!reasons || !Object.keys(comparisons).some(differs)) return [];
  return [...fileLines(reasons), ...requestLines(reasons), ...paintLines(reasons, differs), ...partLines(reasons)];
}

const shown = 5;
function named(all: string[]): string {
  const more = all.length - shown;
  return [...all.slice(0, shown), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function fileLines({ files }: Reasons): string[] {
  const kinds: [string, (file: ChangedFile) => string | null][] = [
    ["requested now", ({ beforeBytes, afterBytes }) => (beforeBytes === null ? printedBytes(afterBytes!) : null)],
    ["no longer requested", ({ beforeBytes, afterBytes }) => (afterBytes === null ? printedBytes(beforeBytes!) : null)],
    [
      "size changed",
      ({ beforeBytes: from, afterBytes: to }) =>
        from === null || to === null ? null : `${to > from ? "+" : "−"}${printedBytes(Math.abs(to - from))}`,
    ],
  ];
  return kinds.flatMap(([what, sizeOf]) => {
    const own = files.flatMap((file) => (sizeOf(file) === null ? [] : [`${inMarkdown(file.path)} (${sizeOf(file)})`]));
    return own.length ? [`${what}: ${named(own)}`] : [];
  });
}

function requestLines({ later, earlier, repeated, failing, rttMs }: Reasons): string[] {
  const line = (what: string, all: string[]) => (all.length ? [`${what}: ${named(all)}`] : []);
  const moved = (files: Reasons["later"]) =>
    files.map(({ path, laterMs }) => `${inMarkdown(path)} (${Math.abs(laterMs).toFixed(0)} ms)`);
  const times = repeated.map(
    ({ path, beforeTimes, afterTimes }) => `${inMarkdown(path)} (${afterTimes}, was ${beforeTimes})`,
  );
  return [
    ...line(`requested later by a round trip (${rttMs} ms) or more`, moved(later)),
    ...line(`requested earlier by a round trip (${rttMs} ms) or more`, moved(earlier)),
    ...line("requests for the same file in a load", times),
    ...line("not found now", failing.after.map(inMarkdown)),
    ...line("no longer missing", failing.before.map(inMarkdown)),
  ];
}

function paintLines({ paints }: Reasons, differs: (measure: GateMeasureName) => boolean): string[] {
  const inWords = (one: BeforePaint | null) =>
    one
      ? `${one.files.map(inMarkdown).join(" → ")} (complete at ${one.completeMs.toFixed(0)} ms)`
      : "no chain of files that most loads share";
  return paints
    .filter(({ measure, before, after }) => differs(measure) && (before || after))
    .map(
      ({ measure, before, after }) =>
        `loaded one after another before ${ofMeasure(gateMeasures, measure).title}: ${inWords(after)}; earlier page: ${inWords(before)}`,
    );
}

const leastMs = 5;

const partLines = ({ parts: changed }: Reasons): string[] =>
  changed
    .filter(({ addedMs }) => Math.abs(addedMs) >= leastMs)
    .map(
      ({ part, addedMs }) =>
        `page load: ${addedMs > 0 ? "+" : "−"}${Math.abs(addedMs).toFixed(0)} ms ${part}: ${parts[part]}`,
    );
