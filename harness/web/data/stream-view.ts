/** Computes when the bytes of each response (a stream of HTTP/2 or HTTP/3) arrived and could be read, as the report draws them. */
import { matchRequests, responsesIn } from "../../../observe/request-streams.ts";
import { http2Bytes, http3Bytes, type StreamBytes } from "../../../observe/stream-arrivals.ts";
import type { ConnectionEvidence } from "../../../schema/evidence.ts";
import type { Trace } from "../../../schema/trace.ts";

/** Drawings need no more than tenths of a millisecond, which compress better than microseconds. */
export const tenths = (us: number) => Math.round(us / 100);

/** Bytes that arrive within this time of each other are drawn as one bar. */
const joinedUs = 2000;

/** What bytes waited for after they arrived: nothing (0), a lost packet of their own response (1), or a lost packet of another response (2). */
export const waits = { none: 0, own: 1, other: 2 } as const;

/** A response's bars, by column: from the first arrival until the last byte could be read, in tenths of a ms since navigation start. */
export interface StreamView {
  /** Index in the condition's list of paths. */
  path: number;
  from: number[];
  to: number[];
  wait: number[];
}

/** @param placeOf returns a path's place in the condition's list @returns responses in the order in which they began */
export function streamViews(
  connections: readonly ConnectionEvidence[],
  trace: Trace,
  placeOf: (path: string) => number,
): StreamView[] {
  const responses = responsesIn(trace);
  const bytes = [...trace.flows.map(http2Bytes), ...trace.quicFlows.map(http3Bytes)];
  return matchRequests(connections, responses)
    .flatMap((streams, i) =>
      [...streams].map(([{ path }, stream]) =>
        viewOf(
          placeOf(path),
          (bytes[i] ?? []).filter((one) => one.stream === stream),
        ),
      ),
    )
    .filter(({ from }) => from.length > 0)
    .sort((a, b) => a.from[0]! - b.from[0]!);
}

function viewOf(path: number, all: readonly StreamBytes[]): StreamView {
  const view: StreamView = { path, from: [], to: [], wait: [] };
  let untilUs = Number.NEGATIVE_INFINITY;
  for (const one of all.toSorted((a, b) => a.arrivedUs - b.arrivedUs)) {
    const [wait, toUs] = [waitOf(one), one.readableUs];
    const last = view.to.length - 1;
    if (wait === view.wait[last] && one.arrivedUs - untilUs <= joinedUs) {
      view.to[last] = Math.max(view.to[last]!, tenths(toUs));
    } else {
      view.from.push(tenths(one.arrivedUs));
      view.to.push(tenths(toUs));
      view.wait.push(wait);
    }
    untilUs = Math.max(one.arrivedUs, wait === waits.none ? toUs : one.arrivedUs);
  }
  return view;
}

function waitOf({ arrivedUs, inOrderUs, readableUs }: StreamBytes): number {
  if (readableUs > inOrderUs) return waits.other;
  return inOrderUs > arrivedUs ? waits.own : waits.none;
}
