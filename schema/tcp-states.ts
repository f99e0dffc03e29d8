/**
 * The state of a server's TCP, as part of a load's trace (trace.ts) on the virtual clock. Each row is the kernel's state when a packet arrived,
 * before processing it (Linux's tracepoints tcp_probe and tcp_cong_state_set, include/trace/events/tcp.h). Since 2026-11-29.
 */
import { z } from "zod";

const column = z.array(z.int());

/** Rows for the first and the last arrival, and for each arrival at which window, threshold or phase differed from the previous row. */
export const tcpStateColumns = z.strictObject({
  /** Time since the previous row, or since navigation start for the first row. */
  atUs: column,
  /** The congestion window. */
  windowSegments: column,
  /** The slow start threshold; null while there is none. */
  thresholdSegments: z.array(z.int().nullable()),
  /** The smoothed round-trip time (RFC 6298); 0 before the first sample. */
  smoothedRttUs: column,
  /** Linux's state of congestion control (enum tcp_ca_state): 0 open, 1 disorder, 2 reduced, 3 recovery, 4 loss. */
  phase: z.array(z.int().min(0).max(4)),
});
export type TcpStateColumns = z.infer<typeof tcpStateColumns>;

export interface TcpState {
  atUs: number;
  windowSegments: number;
  thresholdSegments: number | null;
  smoothedRttUs: number;
  phase: number;
}

export function tcpStatesOf(columns: TcpStateColumns): TcpState[] {
  let atUs = 0;
  return columns.atUs.map((sinceUs, i) => {
    atUs += sinceUs;
    return {
      atUs,
      windowSegments: columns.windowSegments[i] ?? 0,
      thresholdSegments: columns.thresholdSegments[i] ?? null,
      smoothedRttUs: columns.smoothedRttUs[i] ?? 0,
      phase: columns.phase[i] ?? 0,
    };
  });
}

/** The inverse of `tcpStatesOf`, but leaves out repeated states. @param states the states of one connection, in order of time */
export function tcpStateColumnsOf(states: readonly TcpState[]): TcpStateColumns {
  const isKept = (state: TcpState, i: number) => i === 0 || i === states.length - 1 || !isSame(state, states[i - 1]!);
  const rows = states.filter(isKept);
  return {
    atUs: rows.map(({ atUs }, i) => atUs - (rows[i - 1]?.atUs ?? 0)),
    windowSegments: rows.map(({ windowSegments }) => windowSegments),
    thresholdSegments: rows.map(({ thresholdSegments }) => thresholdSegments),
    smoothedRttUs: rows.map(({ smoothedRttUs }) => smoothedRttUs),
    phase: rows.map(({ phase }) => phase),
  };
}

const isSame = (one: TcpState, other: TcpState) =>
  one.windowSegments === other.windowSegments &&
  one.thresholdSegments === other.thresholdSegments &&
  one.phase === other.phase;
