import { rowsOf, type Trace, type TracedPacket } from "../../../schema/trace.ts";

/** A TCP connection of a trace, its packets in plain values. */
export interface TracedRows {
  server: string;
  clientPort: number;
  down: readonly TracedPacket[];
  up: readonly TracedPacket[];
}

const known = new WeakMap<Trace, TracedRows[]>();

/** Computed once for each trace, because several checks read them. */
export function tracedRows(trace: Trace): TracedRows[] {
  const rows =
    known.get(trace) ?? trace.flows.map((flow) => ({ ...flow, down: rowsOf(flow.down), up: rowsOf(flow.up) }));
  known.set(trace, rows);
  return rows;
}
