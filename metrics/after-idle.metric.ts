import type { ConnectionEvidence } from "../schema/evidence.ts";
import { leastTimeoutMs } from "../schema/linux.ts";
import type { Metric } from "./metric.ts";

/** The longest time in which the client waited for no response and sent no request, and the next request, since the first one. */
export function longestIdle(connections: readonly ConnectionEvidence[]): { idleMs: number; nextRequestMs: number } {
  const longest = { idleMs: 0, nextRequestMs: 0 };
  let endedMs = Number.POSITIVE_INFINITY; // of the responses to all earlier requests
  const inOrder = connections.flatMap(({ requests }) => requests).toSorted((a, b) => a.startMs - b.startMs);
  for (const [n, { startMs, endMs }] of inOrder.entries()) {
    if (startMs - endedMs > longest.idleMs)
      Object.assign(longest, { idleMs: startMs - endedMs, nextRequestMs: startMs });
    endedMs = Math.max(n === 0 ? 0 : endedMs, endMs ?? Number.POSITIVE_INFINITY);
  }
  return longest;
}

/** Of conditions whose connections are idle within a load (axes/idle.axis.ts). In shorter pauses a browser computes between requests. */
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
