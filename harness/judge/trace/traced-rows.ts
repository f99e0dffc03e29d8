import { type TcpState, tcpStatesOf } from "../../../schema/tcp-states.ts";
import { rowsOf, type Trace, type TracedPacket } from "../../../schema/trace.ts";

/** A TCP connection of a trace, with its packets as rows instead of columns. */
export interface TracedRows {
  server: string;
  clientPort: number;
  down: readonly TracedPacket[];
  up: readonly TracedPacket[];
  /** Empty if TCP's states were not recorded. */
  states: readonly TcpState[];
}

const known = new WeakMap<Trace, TracedRows[]>();

/** Returns the connections of a trace as rows. They are computed once for each trace, because several checks read them. */
export function tracedRows(trace: Trace): TracedRows[] {
  const rows =
    known.get(trace) ??
    trace.flows.map((flow) => ({
      ...flow,
      down: rowsOf(flow.down),
      up: rowsOf(flow.up),
      states: flow.states ? tcpStatesOf(flow.states) : [],
    }));
  known.set(trace, rows);
  return rows;
}
