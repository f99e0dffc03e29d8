/** Reads traces of other programs: mahimahi's packet opportunities, and CSV files of rates. */
import { usageError } from "../schema/errors.ts";
import { inOneLine } from "../schema/foreign-words.ts";
import { fullFrameBytes } from "../schema/link.ts";
import { periodMs, type RateStep, type RateTrace } from "../schema/rate-trace.ts";
import { counted } from "../schema/words.ts";
import { readTextFile } from "../schema/yaml-file.ts";
import { checkedSteps } from "./rate-traces.ts";

/** The largest file that is read. Ten minutes at 20 Mb/s take 7 MB in mahimahi's format. */
const mostBytes = 16e6;
const longestMs = 600_000;
/** The length of the steps over which mahimahi's packet opportunities are averaged, milliseconds. */
export const opportunityStepMs = 100;

const columns = ["seconds", "down_mbps", "up_mbps"];
const formats = `mahimahi's format has one whole number of milliseconds in each line; a CSV file begins with the line ${columns.join(",")}`;

/** The steps of a file. A file in mahimahi's format has one direction, and a CSV file has both. */
export type ForeignTrace = { format: "mahimahi"; steps: RateStep[] } | ({ format: "csv" } & Omit<RateTrace, "name">);

/** @throws LabError (usage) that names the file, the line and what is allowed */
export function readForeignTrace(path: string): ForeignTrace {
  const lines = linesOf(path);
  const first = lines[0] ?? "";
  if (/^\d+$/.test(first)) return { format: "mahimahi", steps: checkedSteps(opportunities(lines, path), path) };
  if (!first.includes(",")) throw usageError(`${path}: line 1 is "${inOneLine(first)}"; ${formats}`);
  const { down, up } = ratesOf(lines, path);
  return { format: "csv", down: checkedSteps(down, `${path}: down`), up: checkedSteps(up, `${path}: up`) };
}

function linesOf(path: string): string[] {
  const text = readTextFile(path, mostBytes, ": cut it");
  if (text.trim() === "") throw usageError(`${path}: it is empty; ${formats}`);
  return text.trimEnd().split(/\r?\n/);
}

/** Each line is the millisecond at which a full packet may leave (mm-link). An opportunity between two steps belongs to the earlier step. */
function opportunities(lines: readonly string[], path: string): RateStep[] {
  const times = lines.map((line, i) => {
    if (!/^\d+$/.test(line)) throw usageError(`${path}: line ${i + 1} is "${inOneLine(line)}"; ${formats}`);
    return Number(line);
  });
  const back = times.findIndex((ms, i) => i > 0 && ms < times[i - 1]!);
  if (back > 0) throw usageError(backwards(path, back + 1, times[back]!, times[back - 1]!, "ms"));
  const lastMs = times.at(-1)!;
  if (lastMs === 0) throw usageError(`${path}: its last line is 0 ms, so the trace has no duration`);
  refuseLong(lastMs, path);
  const packets = Array<number>(Math.ceil(lastMs / opportunityStepMs)).fill(0);
  for (const ms of times) packets[Math.max(0, Math.ceil(ms / opportunityStepMs) - 1)]!++;
  return packets.map((count, i) => {
    const ms = Math.min(opportunityStepMs, lastMs - i * opportunityStepMs);
    return [ms, rounded((count * fullFrameBytes) / (125 * ms))];
  });
}

/** A row's rates apply until the time of the next row. The last row lasts as long as the row before it. */
function ratesOf([heading = "", ...lines]: readonly string[], path: string): Record<"down" | "up", RateStep[]> {
  const names = heading.split(",").map((name) => name.trim());
  if (names.join() !== columns.join())
    throw usageError(
      `${path}: its columns are ${inOneLine(names.join(","))}, but must be ${columns.join(",")}, in this order and in these units`,
    );
  const rows = lines.map((line, i) => {
    const cells = line.split(",").map((cell) => (/^\s*\d+(\.\d+)?\s*$/.test(cell) ? Number(cell) : Number.NaN));
    if (cells.length !== columns.length || cells.some(Number.isNaN))
      throw usageError(
        `${path}: line ${i + 2} is "${inOneLine(line)}"; it must have ${columns.length} numbers, each 0 or more`,
      );
    const [seconds = 0, down = 0, up = 0] = cells;
    return { atMs: rounded(1000 * seconds), down, up };
  });
  if (rows.length < 2)
    throw usageError(
      `${path}: it has ${counted(rows.length, "row")}; at least two rows are needed, because a row's rates apply until the time of the next row`,
    );
  const back = rows.findIndex(({ atMs }, i) => i > 0 && atMs <= rows[i - 1]!.atMs);
  if (back > 0) throw usageError(backwards(path, back + 2, rows[back]!.atMs / 1000, rows[back - 1]!.atMs / 1000, "s"));
  const lastMs = rows.at(-1)!.atMs - rows.at(-2)!.atMs;
  refuseLong(rows.at(-1)!.atMs - rows[0]!.atMs + lastMs, path);
  const stepsOf = (direction: "down" | "up") =>
    rows.map((row, i): RateStep => [rounded((rows[i + 1]?.atMs ?? row.atMs + lastMs) - row.atMs), row[direction]]);
  return { down: stepsOf("down"), up: stepsOf("up") };
}

const backwards = (path: string, line: number, now: number, before: number, unit: string) =>
  `${path}: line ${line} is at ${now} ${unit}, and the line before it at ${before} ${unit}: ${unit === "s" ? "each row must have a later time" : "times must not go back"}`;

function refuseLong(ms: number, path: string): void {
  if (ms > longestMs)
    throw usageError(
      `${path}: it is ${Math.round(ms / 1000)} s long; at most ${longestMs / 1000} s are allowed: cut it`,
    );
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

export function describeSteps(steps: readonly RateStep[]): string {
  const rates = steps.map(([, mbps]) => mbps);
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  return `${rounded(periodMs(steps) / 1000)} s in ${counted(steps.length, "step")}, ${least} to ${most} Mb/s`;
}
