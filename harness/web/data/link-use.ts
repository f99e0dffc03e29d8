/** The link's rates during a load, in each direction, and the bytes of the page and of background flows. */
import { shareStepMs } from "../../../schema/background.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import { type Direction, rateOf } from "../../../schema/link.ts";
import type { Condition } from "../../../schema/plan.ts";
import { stepsBetween } from "../../../schema/rate-trace.ts";
import { datagramTimes, type Trace } from "../../../schema/trace.ts";

export interface DirectionUse {
  /** The time at which each rate began, in milliseconds since navigation start, and the rate in Mb/s. */
  rates: { fromMs: number[]; mbps: number[] };
  /** Bytes of the page's frames and of background flows' frames that arrived in each step. */
  page: number[];
  background: number[];
}

export interface LinkUse extends Record<Direction, DirectionUse> {
  stepMs: number;
}

export function linkUse(evidence: Evidence, { settings: { link } }: Condition, trace: Trace | null): LinkUse | null {
  const { background } = evidence;
  if (!link.trace && !background) return null;
  const use = (direction: Direction): DirectionUse => ({
    rates: ratesOf(evidence, link, direction),
    page: trace ? pageBytes(trace, direction) : [],
    background: background?.inSteps[direction] ?? [],
  });
  return { stepMs: shareStepMs, down: use("down"), up: use("up") };
}

function ratesOf(
  { link: { trace }, processor }: Evidence,
  link: Condition["settings"]["link"],
  direction: Direction,
): DirectionUse["rates"] {
  const startMs = trace && trace.navigationMs !== null ? trace.offsetMs + trace.navigationMs : null;
  if (!link.trace || startMs === null) return { fromMs: [0], mbps: [rateOf(link, direction)] };
  const rates: DirectionUse["rates"] = { fromMs: [], mbps: [] };
  let atMs = 0;
  for (const { ms, step } of stepsBetween(link.trace[direction], startMs, startMs + processor.elapsedMs)) {
    rates.fromMs.push(Math.round(10 * atMs) / 10);
    rates.mbps.push(step[1]);
    atMs += ms;
  }
  return rates;
}

function pageBytes({ flows, quicFlows }: Trace, direction: Direction): number[] {
  const steps: number[] = [];
  for (const flow of [...flows, ...quicFlows])
    for (const [i, { arrivedUs }] of datagramTimes(flow[direction]).entries()) {
      const step = arrivedUs === null ? -1 : Math.floor(arrivedUs / 1000 / shareStepMs);
      if (step >= 0) steps[step] = (steps[step] ?? 0) + (flow[direction].frameBytes[i] ?? 0);
    }
  return Array.from(steps, (bytes) => bytes ?? 0);
}
