/** Draws the bytes that arrived while a page loaded, next to the bytes that the link could have carried. */
import * as Plot from "@observablehq/plot";
import type { DirectionUse } from "../data/link-use.ts";
import type { TraceView } from "../data/trace-view.ts";
import { overTime } from "./time-axis.ts";

export type Rates = DirectionUse["rates"];

/** Returns the corners of a line: how much the link could have carried since `startMs`. The line ends at `endMs` or at `mostKilobytes`. */
export function carriedSince(
  { fromMs, mbps }: Rates,
  startMs: number,
  { endMs, mostKilobytes }: { endMs: number; mostKilobytes: number },
): [ms: number, kilobytes: number][] {
  const corners: [number, number][] = [[startMs, 0]];
  let kilobytes = 0;
  for (const [i, rate] of mbps.entries()) {
    if (kilobytes >= mostKilobytes) break;
    const [beginMs, untilMs] = [Math.max(startMs, fromMs[i]!), Math.min(endMs, fromMs[i + 1] ?? endMs)];
    if (untilMs <= beginMs) continue;
    // 1 Mb/s is an eighth of a kilobyte per millisecond.
    const ms = Math.min(untilMs - beginMs, (mostKilobytes - kilobytes) / (rate / 8));
    kilobytes += (rate / 8) * ms;
    corners.push([beginMs + ms, kilobytes]);
  }
  return corners;
}

export function drawBytes({ flows }: TraceView, rates: Rates, endMs: number, width: number): Element {
  const frames = flows
    .flatMap(({ arrivals: { at, bytes } }) => at.map((tenths, i) => ({ ms: tenths / 10, bytes: bytes[i]! })))
    .sort((a, b) => a.ms - b.ms);
  let total = 0;
  const arrived = frames.map(({ ms, bytes }) => {
    total += bytes;
    return { ms, kilobytes: total / 1000 };
  });
  const allowed = carriedSince(rates, frames[0]?.ms ?? 0, { endMs, mostKilobytes: total / 1000 });
  return Plot.plot({
    ...overTime(width, endMs),
    ariaLabel: "Bytes received over time",
    y: { label: "kB", grid: true },
    marks: [
      Plot.line(allowed, { stroke: "var(--quiet)", strokeDasharray: "4 3" }),
      Plot.line(arrived, { x: "ms", y: "kilobytes", curve: "step-after", stroke: "var(--side-b)", strokeWidth: 2 }),
    ],
  });
}
