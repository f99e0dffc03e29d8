/** A load's packets as the report draws them: what arrived, what was in flight, what was lost and retransmitted. */
import { type TcpStateColumns, tcpStatesOf } from "../../../schema/tcp-states.ts";
import { rowsOf, type Trace, type TracedFlow, type TracedPacket } from "../../../schema/trace.ts";
import type { Account } from "../../explain/account.ts";
import { partNames } from "../../explain/parts.ts";
import { noWindow, quicRows } from "../../explain/quic-rows.ts";
import { tenths } from "./stream-view.ts";

export type TraceView = ReturnType<typeof traceView>;
export const traceView = ({ flows, quicFlows, firstRequestUs }: Trace, account: Account | null) => ({
  /** Time from navigation start to the first request; the requests' times are relative to the first request. */
  firstRequestMs: firstRequestUs / 1000,
  /** The critical path's steps, by column: each step's part (an index of `partNames`), its end in tenths of a ms, and the event that ends it. */
  path: pathOf(account?.steps ?? []),
  flows: [
    ...flows.map(flowView),
    ...quicFlows.map((flow): FlowTraceView => {
      const { server, clientPort, down, opened } = flow;
      if (opened) return sidesView({ server, clientPort, ...quicRows(flow, opened) });
      const arrivals = arrivalsOf(rowsOf({ ...noStream(down.sentUs.length), ...down }));
      const encrypted = { flight: noSeries(), window: noSeries(), lost: [], retransmitted: [] };
      return { server, port: clientPort, arrivals, ...encrypted, tcp: null };
    }),
  ],
});

/** Times in tenths of a millisecond since navigation start, and the bytes at each time. */
const noSeries = () => ({ at: [] as number[], bytes: [] as number[] });

/** Joins consecutive steps of the same part into one step, which is named after the last event. */
function pathOf(steps: Account["steps"]) {
  const last = steps.filter(({ part }, i) => steps[i + 1]?.part !== part);
  return {
    part: last.map(({ part }) => partNames.indexOf(part)),
    until: last.map(({ toUs }) => tenths(toUs)),
    what: last.map(({ what }) => what),
  };
}

/** Returns columns of zeros for QUIC packets that were not decrypted. */
function noStream(length: number) {
  const zeros: number[] = new Array(length).fill(0);
  return { bytes: zeros, offset: zeros, acknowledged: zeros, sacked: zeros, window: zeros, flags: zeros };
}

/** A connection's packets from the server to the client. */
export type FlowTraceView = ReturnType<typeof sidesView>;
const flowView = ({ server, clientPort, down, up, states }: TracedFlow) =>
  sidesView({ server, clientPort, down: rowsOf(down), up: rowsOf(up), states });

interface Sides {
  server: string;
  clientPort: number;
  down: readonly TracedPacket[];
  up: readonly TracedPacket[];
  states?: TcpStateColumns | undefined;
}

function sidesView({ server, clientPort, down: sent, up: answers, states }: Sides) {
  return {
    server,
    port: clientPort,
    arrivals: arrivalsOf(sent),
    ...flightOf(sent, answers),
    /** The times at which lost packets were sent (`lost`), and at which data was retransmitted. */
    lost: sent.flatMap(({ arrivedUs, sentUs }) => (arrivedUs === null ? [tenths(sentUs)] : [])),
    retransmitted: sent.flatMap(({ repeated, sentUs }) => (repeated ? [tenths(sentUs)] : [])),
    /** null if the server's TCP was not recorded. */
    tcp: states ? tcpView(states) : null,
  };
}

/** A connection's states, as its server's TCP reports them. Windows and thresholds are in segments, times in tenths of a millisecond. */
export type TcpView = ReturnType<typeof tcpView>;
function tcpView(columns: TcpStateColumns) {
  const states = tcpStatesOf(columns);
  return {
    at: states.map(({ atUs }) => tenths(atUs)),
    window: states.map(({ windowSegments }) => windowSegments),
    threshold: states.map(({ thresholdSegments }) => thresholdSegments),
    rtt: states.map(({ smoothedRttUs }) => tenths(smoothedRttUs)),
    phase: states.map(({ phase }) => phase),
  };
}

function arrivalsOf(sent: readonly TracedPacket[]) {
  const arrived = sent
    .flatMap(({ arrivedUs, frameBytes }) => (arrivedUs === null ? [] : [{ at: tenths(arrivedUs), frameBytes }]))
    .sort((a, b) => a.at - b.at);
  return { at: arrived.map(({ at }) => at), bytes: arrived.map(({ frameBytes }) => frameBytes) };
}

/** Returns the data in flight as the server sees it, and the last receive window that the client advertised. */
function flightOf(sent: readonly TracedPacket[], answers: readonly TracedPacket[]) {
  const events = [
    ...sent.filter(({ bytes }) => bytes > 0).map((packet) => ({ us: packet.sentUs, packet, own: true })),
    ...answers.flatMap((packet) =>
      packet.arrivedUs === null || packet.syn ? [] : [{ us: packet.arrivedUs, packet, own: false }],
    ),
  ].sort((a, b) => a.us - b.us);
  let [highest, acknowledged, offered] = [0, 0, 0];
  const [flight, window] = [noSeries(), noSeries()];
  for (const { us, packet, own } of events) {
    if (own) highest = Math.max(highest, packet.offset + packet.bytes);
    else acknowledged = Math.max(acknowledged, packet.acknowledged);
    flight.at.push(tenths(us));
    flight.bytes.push(Math.max(0, highest - acknowledged));
    if (own || packet.window === offered || packet.window >= noWindow) continue;
    offered = packet.window;
    window.at.push(tenths(us));
    window.bytes.push(offered);
  }
  return { flight, window };
}
