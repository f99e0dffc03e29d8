/** What the link towards the client could carry during a load, and what flows beside the page had of it. */
import { shareStepMs } from "../../../schema/background.ts";
import type { Evidence } from "../../../schema/evidence.ts";
import type { Condition } from "../../../schema/plan.ts";
import { stepsBetween } from "../../../schema/rate-trace.ts";

export interface LinkUse {
  /** When each rate began, milliseconds since navigation start, and the rate, Mb/s. */
  rates: { fromMs: number[]; mbps: number[] };
  /** The length of a step, and the bytes of flows beside the page in each; none if there were no such flows. */
  stepMs: number;
  background: number[];
}

export function linkUse(
  { link: { trace }, background, processor }: Evidence,
  { settings: { link } }: Condition,
): LinkUse | null {
  if (!link.trace && !background) return null;
  const rates: LinkUse["rates"] = { fromMs: [], mbps: [] };
  const add = (fromMs: number, mbps: number) => {
    rates.fromMs.push(Math.round(10 * fromMs) / 10);
    rates.mbps.push(mbps);
  };
  const startMs = trace && trace.navigationMs !== null ? trace.offsetMs + trace.navigationMs : null;
  if (link.trace && startMs !== null) {
    let atMs = 0;
    for (const { ms, step } of stepsBetween(link.trace.down, startMs, startMs + processor.elapsedMs)) {
      add(atMs, step[1]);
      atMs += ms;
    }
  } else add(0, link.downMbps);
  return { rates, stepMs: shareStepMs, background: background?.inSteps.down ?? [] };
}
