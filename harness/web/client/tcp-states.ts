/** Draws the states of a load's connections as the servers' TCP reports them: congestion window, slow start threshold and RTT over time. */
import * as Plot from "@observablehq/plot";
import type { TcpView, TraceView } from "../data/trace-view.ts";
import { overTime } from "./time-axis.ts";

export interface StateRow {
  ms: number;
  untilMs: number;
  window: number;
  threshold: number | null;
  rttMs: number;
  /** Whether TCP has not yet recovered from a loss, or from a congestion mark by the queue. */
  reduced: boolean;
}

/** The first of Linux's phases in which TCP has not yet recovered: 2 reduced, 3 recovery, 4 loss (schema/tcp-states.ts). */
const firstReduced = 2;

/** Returns a row for each state. The last row is at the time of the connection's last packet, where the lines end. */
export const stateRows = ({ at, window, threshold, rtt, phase }: TcpView): StateRow[] =>
  at.map((tenths, i) => ({
    ms: tenths / 10,
    untilMs: at[Math.min(i + 1, at.length - 1)]! / 10,
    window: window[i]!,
    threshold: threshold[i]!,
    rttMs: rtt[i]! / 10,
    reduced: phase[i]! >= firstReduced,
  }));

interface Drawing {
  trace: TraceView;
  /** The colour of a connection, by its index among the drawn connections. */
  hue(place: number): string;
  endMs: number;
  width: number;
}

export function drawWindows({ trace, hue, endMs, width }: Drawing): Element {
  return Plot.plot({
    ...overTime(width, endMs),
    ariaLabel: "Congestion windows over time, by connection",
    y: { label: "segments", grid: true, zero: true },
    marks: rowsOf(trace).flatMap(({ rows, title }, i) => [
      Plot.line(rows, { ...line("threshold"), stroke: hue(i), strokeDasharray: "2 3", strokeOpacity: 0.7 }),
      Plot.line(rows, { ...line("window"), stroke: hue(i), strokeWidth: 1.5, title: () => title }),
      Plot.ruleY(
        rows.filter(({ reduced }) => reduced),
        { y: "window", x1: "ms", x2: "untilMs", stroke: "var(--bad)", strokeWidth: 3, clip: true },
      ),
    ]),
  });
}

export function drawRoundTrips({ trace, hue, endMs, width }: Drawing): Element {
  return Plot.plot({
    ...overTime(width, endMs),
    ariaLabel: "Smoothed round-trip times over time, by connection",
    y: { label: "ms", grid: true, zero: true },
    marks: rowsOf(trace).map(({ rows, title }, i) =>
      Plot.line(
        rows.filter(({ rttMs }) => rttMs > 0),
        {
          ...line("rttMs"),
          stroke: hue(i),
          title: () => title,
        },
      ),
    ),
  });
}

const rowsOf = ({ flows }: TraceView) =>
  flows.flatMap(({ server, port, tcp }) => (tcp ? [{ rows: stateRows(tcp), title: `port ${port} to ${server}` }] : []));

const line = (y: "window" | "threshold" | "rttMs") => ({ x: "ms", y, curve: "step-after", clip: true }) as const;
