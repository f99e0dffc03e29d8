/** Prints a gate's result as Markdown for people, and as JSON for programs. */
import { inMarkdown } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import type { Result } from "./demands.ts";
import type { GateReport, GateRow } from "./gate-report.ts";
import { gateTable, numbersSentence } from "./gate-table.ts";
import { type GateMeasureName, gateMeasures, ofMeasure, printedBytes } from "./measures.ts";
import { reasonLines } from "./reasons-markdown.ts";
import { inWords } from "./repeated.ts";
import type { Medians } from "./sample.ts";
import type { Warnings } from "./warnings.ts";

export const sameFilesSentence = "Both pages have the same files, so nothing is compared: only budgets are checked.";

export function gateMarkdown(report: GateReport): string {
  const { rows, threshold, versions, digest } = report;
  const said = [
    ...linesOf(report, "failed"),
    ...linesOf(report, "undecided"),
    ...rows.flatMap(endlessLines),
    ...rows.flatMap(repeatedLines),
    ...rows.flatMap(notComparedLines),
    ...hostLines(rows),
  ];
  return `${[
    `# Page-speed gate: ${report.demanded || !report.passed ? report.result : "no demand was made"}`,
    ...(report.sameFiles ? [sameFilesSentence] : []),
    ...(report.demanded ? [] : ["There is no page to compare with (--against), and no budget (--budget)."]),
    gateTable(report),
    ...(said.length ? [bullets(said)] : []),
    numbersSentence(report),
    ...rows.flatMap((row) => reasonsMarkdown(row, threshold)),
    ...report.warnings.flatMap(warningsMarkdown),
    `Measured with ${Object.entries(versions)
      .map(([name, version]) => `${name} ${inMarkdown(version)}`)
      .join(", ")}; digest ${digest.slice(0, 12)}. Other versions give other numbers.`,
  ].join("\n\n")}\n`;
}

const bullets = (all: string[]) => all.map((line) => `- ${line}`).join("\n");

function reasonsMarkdown(row: GateRow, threshold: number): string[] {
  const lines = reasonLines(row, threshold);
  return lines.length ? [`## ${where(row)}: where the difference comes from`, bullets(lines)] : [];
}

/** Returns a sentence for each demand with this result. */
export const linesOf = ({ rows, notLoaded }: GateReport, asked: Result): string[] => [
  ...notLoaded.flatMap(({ page, version, reason }) =>
    asked === (version === "after" ? "failed" : "undecided")
      ? [
          `${version === "before" ? "the earlier version of " : ""}${inMarkdown(page)} could not be loaded: ${inMarkdown(reason)}`,
        ]
      : [],
  ),
  ...rows.flatMap((row) =>
    row.demands.flatMap(({ measure, demand, result, measured }) => {
      if (result !== asked) return [];
      if (measure === null) return [`${where(row)}: ${result}: ${measured}`];
      return [`${where(row)}: ${demand}, ${result === "failed" ? "but" : "undecided:"} it is ${measured}`];
    }),
  ),
];

const mostHosts = 10;

/** Prints each page's bytes by host, in one line per page, or per link if the bytes differ between links. */
function hostLines(rows: readonly GateRow[]): string[] {
  const lines = rows.flatMap((row) => {
    if (row.hostBytes.length === 0) return [];
    const shown = row.hostBytes.slice(0, mostHosts).map(({ host, beforeBytes, afterBytes }) => {
      const [now, before] = [printedBytes(afterBytes), beforeBytes === null ? null : printedBytes(beforeBytes)];
      const was = before === null || before === now ? "" : `, was ${before}`;
      return `${host === null ? "its own" : inMarkdown(host)} (${now}${was})`;
    });
    const more = row.hostBytes.length - shown.length;
    return [{ row, text: `bytes by host: ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ")}` }];
  });
  return [
    ...new Set(
      lines.map(({ row, text }) => {
        const isAlike = lines.every((one) => one.row.page !== row.page || one.text === text);
        return `${isAlike ? inMarkdown(row.page) : where(row)}: ${text}`;
      }),
    ),
  ];
}

const kinds = { request: "request failed", console: "console error" };

function warningsMarkdown({ page, shown, more }: Warnings): string[] {
  if (shown.length === 0) return [];
  const lines = shown.map(({ kind, text, isNew }) => `${isNew ? "new: " : ""}${kinds[kind]}: ${inMarkdown(text)}`);
  const sentence = "A request that fails here may succeed where the page is published; that is not measured.";
  return [
    `## ${inMarkdown(page)}: warnings, which do not fail the gate`,
    bullets([...lines, ...(more > 0 ? [`and ${more} more`] : [])]),
    ...(shown.some(({ kind }) => kind === "request") ? [sentence] : []),
  ];
}

/** Prints how many loads never ended, because these loads count as longer than all others. */
function endlessLines(row: GateRow): string[] {
  const { before, after, of } = row.endless;
  if (before + after === 0) return [];
  const ofBefore = row.before ? `, ${before} of ${of} before` : "";
  return [`${where(row)}: ${after} of ${counted(of, "load")} never ended${ofBefore}`];
}

/** Prints how many loads were repeated, unless a demand already says that these are too many. */
function repeatedLines(row: GateRow): string[] {
  const { before, after } = row.repeated;
  if (after.having + (before?.having ?? 0) === 0 || row.demands.some(({ measure }) => measure === null)) return [];
  return [`${where(row)}: ${inWords(row.repeated)} had to be repeated, because an attempt gave no result`];
}

function notComparedLines(row: GateRow): string[] {
  const { before, after, comparisons } = row;
  const lacks = (bounds: Medians, name: GateMeasureName) => ofMeasure(bounds, name).atLeast === Infinity;
  return Object.values(gateMeasures)
    .filter(({ comparedFrom, comparedFromMs = comparedFrom }) => comparedFromMs !== undefined)
    .filter(({ name }) => before && !comparisons[name] && !(lacks(before, name) && lacks(after, name)))
    .map(({ title }) => `${where(row)}: ${title} is not compared, because no load of the earlier page shows it`);
}

export const where = ({ page, link }: GateRow) => `${inMarkdown(page)} over ${inMarkdown(link)}`;

/** The report as JSON. `{"atLeast": 10000}`: only a lower bound is known; `"longer"`: an unbounded difference; null: no load has the measure. */
export const gateJson = (report: GateReport): string => JSON.stringify(report, asJson, 2);

function asJson(_key: string, value: unknown): unknown {
  if (value === Infinity) return "longer";
  if (typeof value !== "object" || value === null || !("atLeast" in value) || !("atMost" in value)) return value;
  const { atLeast, atMost } = value;
  if (atLeast === Infinity) return null;
  if (atLeast === atMost) return atLeast;
  return atMost === Infinity ? { atLeast } : { ...value };
}
