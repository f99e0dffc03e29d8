/** A gate's result for people, and for other programs. */
import { counted } from "../../../schema/words.ts";
import { parts } from "../../explain/parts.ts";
import { alignedTable, unknown } from "../tables/format.ts";
import { gravestOf, inPercent, type Result } from "./demands.ts";
import type { GateReport, GateRow } from "./gate-report.ts";
import { type GateMeasureName, gateMeasureNames, gateMeasures, printed, printedBytes } from "./measures.ts";
import type { ChangedFile, Reasons } from "./reasons.ts";

/** A table of each link's measures, a line for each demand that is not met, and where differences come from. */
export function gateMarkdown(report: GateReport): string {
  const { rows, loads, threshold, versions, digest } = report;
  const said = [...linesOf(report, "failed"), ...linesOf(report, "undecided"), ...rows.flatMap(endlessLines)];
  return `${[
    `# Page-speed gate: ${report.result}`,
    alignedTable([["page", "link", "measure", "before", "after", "difference", "result"], ...rows.flatMap(lines)], 3),
    ...(said.length ? [bullets(said)] : []),
    `Medians of ${counted(loads, "load")}. With a probability of 95%, all intervals contain the true differences at once.`,
    ...rows.flatMap((row) => reasonsMarkdown(row, threshold)),
    `By ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}; digest ${digest.slice(0, 12)}. Other versions give other numbers.`,
  ].join("\n\n")}\n`;
}

const bullets = (all: string[]) => all.map((line) => `- ${line}`).join("\n");

const lines = (row: GateRow): string[][] =>
  gateMeasureNames.flatMap((name) => {
    const { page, link, before, after, comparisons, demands } = row;
    const isDemanded = demands.some(({ measure }) => measure === name);
    if (gateMeasures[name].ofOneType && !isDemanded) return [];
    const difference = comparisons[name]?.difference;
    const line = [
      page,
      link,
      gateMeasures[name].title,
      before ? printed(name, before[name]) : unknown,
      printed(name, after[name]),
      difference ? inPercent(difference) : "",
      isDemanded ? resultOf(row, name) : "",
    ];
    return [line];
  });

/** "passed, no more than +23.0%", "**failed**" */
function resultOf({ demands }: GateRow, name: GateMeasureName): string {
  const own = demands.filter(({ measure }) => measure === name);
  const result = gravestOf(own.map((demand) => demand.result));
  const perhaps = own.flatMap((demand) => demand.perhaps ?? []);
  return result === "passed" ? [result, ...perhaps].join(", ") : `**${result}**`;
}

/** A sentence for each demand with this result. */
export const linesOf = ({ rows }: GateReport, asked: Result): string[] =>
  rows.flatMap((row) =>
    row.demands.flatMap(({ demand, result, measured }) => {
      if (result !== asked) return [];
      return [`${where(row)}: ${demand}, ${result === "failed" ? "but" : "undecided:"} it is ${measured}`];
    }),
  );

/** A load that never ended counts as longer than all others. */
function endlessLines(row: GateRow): string[] {
  const { before, after, of } = row.endless;
  if (before + after === 0) return [];
  const ofBefore = row.before ? `, ${before} of ${of} before` : "";
  return [`${where(row)}: ${after} of ${counted(of, "load")} never ended${ofBefore}`];
}

export const where = ({ page, link }: GateRow) => `${page} over ${link}`;

/** Where a difference beyond the threshold comes from. */
function reasonsMarkdown(row: GateRow, threshold: number): string[] {
  const { comparisons, reasons } = row;
  const differences = Object.values(comparisons).flatMap(({ difference }) => difference ?? []);
  const differs = differences.some(({ low, high }) => low > threshold || high < -threshold);
  if (!reasons || !differs) return [];
  return [
    `## ${where(row)}: where the difference comes from`,
    bullets([...fileLines(reasons), ...laterLines(reasons), ...partLines(reasons)]),
  ];
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
      "of another size",
      ({ beforeBytes: from, afterBytes: to }) =>
        from === null || to === null ? null : `${to > from ? "+" : "−"}${printedBytes(Math.abs(to - from))}`,
    ],
  ];
  return kinds.flatMap(([what, sizeOf]) => {
    const own = files.flatMap((file) => (sizeOf(file) === null ? [] : [`${file.path} (${sizeOf(file)})`]));
    return own.length ? [`${what}: ${named(own)}`] : [];
  });
}

function laterLines({ later, rttMs }: Reasons): string[] {
  const moved = later.map(({ path, laterMs }) => `${path} (${laterMs.toFixed(0)} ms)`);
  return moved.length ? [`requested later by a round trip (${rttMs} ms) or more: ${named(moved)}`] : [];
}

/** Smaller changes are not named. */
const leastMs = 5;

const partLines = ({ parts: changed }: Reasons): string[] =>
  changed
    .filter(({ addedMs }) => Math.abs(addedMs) >= leastMs)
    .map(({ part, addedMs }) => `${addedMs > 0 ? "+" : "−"}${Math.abs(addedMs).toFixed(0)} ms ${part}: ${parts[part]}`);

/** Numbers that are not known: `{"atLeast": 10000}` for what is longer, `"longer"` for a difference, null for what no load has. */
export const gateJson = (report: GateReport): string => JSON.stringify(report, asJson, 2);

function asJson(_key: string, value: unknown): unknown {
  if (value === Infinity) return "longer";
  if (typeof value !== "object" || value === null || !("atLeast" in value) || !("atMost" in value)) return value;
  const { atLeast, atMost } = value;
  if (atLeast === Infinity) return null;
  if (atLeast === atMost) return atLeast;
  return atMost === Infinity ? { atLeast } : { ...value };
}
