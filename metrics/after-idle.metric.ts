import type { ConnectionEvidence } from "../schema/evidence.ts";
import { leastTimeoutMs } from "../schema/linux.ts";
import type { Metric } from "./metric.ts";

/** Finds the longest time in which no response was awaited, and when the next request began (milliseconds since the load's first request). */
export function longestIdle(connections: readonly ConnectionEvidence[]): { idleMs: number; nextRequestMs: number } {
  const longest = { idleMs: 0, nextRequestMs: 0 };
  let endedMs = Number.POSITIVE_INFINITY; // the end of the last response to an earlier request
  const inOrder = connections.flatMap(({ requests }) => requests).toSorted((a, b) => a.startMs - b.startMs);
  for (const [n, { startMs, endMs }] of inOrder.entries()) {
    if (startMs - endedMs > longest.idleMs)
      Object.assign(longest, { idleMs: startMs - endedMs, nextRequestMs: startMs });
    endedMs = Math.max(n === 0 ? 0 : endedMs, endMs ?? Number.POSITIVE_INFINITY);
  }
  return longest;
}

/** For conditions with idle connections within a load (axes/idle.axis.ts). Idle times below TCP's minimum time-out do not count. */
export const metric: Metric = {
  name: "afterIdleMs",
  title: "time from the first request on idle connections to the load event",
  unit: "ms",
  untilLoaded: true,
  of({ connections, timing: { loadEventStart } }) {
    const { idleMs, nextRequestMs } = longestIdle(connections);
    if (loadEventStart === undefined || nextRequestMs > loadEventStart) return null;
    return idleMs >= leastTimeoutMs ? loadEventStart - nextRequestMs : null;
  },
};
