/** A gate's result for people, for CI servers and for other programs. */
import { DOMParser } from "linkedom";
import { counted } from "../../../schema/words.ts";
import { parts } from "../../explain/parts.ts";
import { alignedTable, unknown } from "../tables/format.ts";
import { inPercent } from "./demands.ts";
import type { GateReport, GateRow } from "./gate-report.ts";
import { gateMeasureNames, gateMeasures, printed, printedBytes } from "./measures.ts";
import type { ChangedFile, Reasons } from "./reasons.ts";

/** A table of each link's measures, a line for each demand that is not met, and where differences come from. */
export function gateMarkdown(report: GateReport): string {
  const { rows, loads, threshold, versions, digest } = report;
  const failed = failedLines(report);
  return `${[
    `# Page-speed gate: ${report.passed ? "passed" : "failed"}`,
    alignedTable([["page", "link", "measure", "before", "after", "difference", "result"], ...rows.flatMap(lines)], 3),
    ...(failed.length ? [bullets(failed)] : []),
    `Medians of ${counted(loads, "load")}. With a probability of 95%, all intervals contain the true differences at once.`,
    ...rows.flatMap((row) => reasonsMarkdown(row, threshold)),
    `By ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}; digest ${digest.slice(0, 12)}. Other versions give other numbers.`,
  ].join("\n\n")}\n`;
}

const bullets = (all: string[]) => all.map((line) => `- ${line}`).join("\n");

const lines = ({ page, link, before, after, differences, demands }: GateRow): string[][] =>
  gateMeasureNames.flatMap((name) => {
    const own = demands.filter(({ measure }) => measure === name);
    if (gateMeasures[name].ofOneType && own.length === 0) return [];
    const difference = differences[name];
    const line = [
      page,
      link,
      gateMeasures[name].title,
      before ? printed(name, before[name]) : unknown,
      printed(name, after[name]),
      difference ? inPercent(difference) : "",
      own.length === 0 ? "" : own.every(({ met }) => met) ? "passed" : "**failed**",
    ];
    return [line];
  });

export const failedLines = ({ rows }: GateReport): string[] =>
  rows.flatMap((row) =>
    row.demands.flatMap(({ demand, met, measured }) =>
      met ? [] : [`${where(row)}: ${demand}, but it is ${measured}`],
    ),
  );

const where = ({ page, link }: GateRow) => `${page} over ${link}`;

/** Where a difference beyond the threshold comes from. */
function reasonsMarkdown(row: GateRow, threshold: number): string[] {
  const { differences, reasons } = row;
  const differs = Object.values(differences).some(({ low, high }) => low > threshold || high < -threshold);
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

export const gateJson = (report: GateReport): string => JSON.stringify(report, null, 2);

/** JUnit's XML, as CI servers read it: a test suite for each page over a link, a test case for each demand. */
export function gateJUnit({ rows }: GateReport): string {
  const document = new DOMParser().parseFromString('<?xml version="1.0" encoding="UTF-8"?><testsuites/>', "text/xml");
  const element = (parent: { append(child: unknown): void }, name: string, attributes: Record<string, string>) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent.append(made);
    return made;
  };
  for (const row of rows) {
    const { page, link, demands } = row;
    const failures = demands.filter(({ met }) => !met).length;
    const suite = element(document.documentElement, "testsuite", {
      name: where(row),
      tests: `${demands.length}`,
      failures: `${failures}`,
    });
    for (const { demand, met, measured } of demands) {
      const one = element(suite, "testcase", { name: demand, classname: `gate.${page}.${link}` });
      if (!met) element(one, "failure", { message: `it is ${measured}` });
    }
  }
  return `${document.toString()}\n`;
}
