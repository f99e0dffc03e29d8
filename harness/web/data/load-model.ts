/** What a report's file of one load holds: its requests, packets and proof. Plain data. */
import type { LinkEvidence } from "../../../schema/evidence.ts";

export type ProofVerdict = "confirmed" | "inconclusive" | "not observable" | "contradicted";

/** A line of a load's proof: of an axis, or of what holds for every load. What was configured is in the condition's file. */
export interface ProofLine {
  what: string;
  seen: string;
  verdict: ProofVerdict;
  /** Why it is not confirmed. */
  because: string;
}

/** Requests column by column, for so they pack well: times in tenths of a millisecond. */
export interface RequestColumns {
  /** Places in the condition's list of paths. */
  path: number[];
  status: number[];
  bytes: number[];
  start: number[];
  /** From its start to its last byte; -1 where that never came. */
  took: number[];
  /** From its start until it was handed to a connection, and until the answer's headers; -1 where that is not known. */
  sent: number[];
  answered: number[];
}

export interface ConnectionView {
  host: string;
  protocol: string;
  tls: string;
  requests: RequestColumns;
}

export interface FlowView {
  host: string;
  port: number;
  handshakeMs: number | null;
  sent: number;
  retransmitted: number;
  note: string;
}

export type DirectionView = Pick<
  LinkEvidence["down"],
  "sentPackets" | "sentBytes" | "lostPackets" | "queueDroppedPackets"
>;

/** Moments in tenths of a millisecond since navigation start, and bytes at each. */
export interface Series {
  at: number[];
  bytes: number[];
}

/** A connection's packets from the server to the client. */
export interface FlowTraceView {
  server: string;
  port: number;
  /** Frames as they came to the client. */
  arrivals: Series;
  /** Sent and not acknowledged, as the server knows it; empty for QUIC, which encrypts it. */
  flight: Series;
  /** The receive window, when it changes. */
  window: Series;
  /** When packets were sent that never arrived, and when data was retransmitted. */
  lost: number[];
  retransmitted: number[];
}

export interface TraceView {
  /** From navigation start to the first request, which requests' times count from. */
  firstRequestMs: number;
  flows: FlowTraceView[];
  /** What the load event waited for, from its beginning, step by step: the place of a part, and until when, in tenths of a millisecond. */
  path: { part: number[]; until: number[]; what: string[] };
}

/** What a load left behind: a file of its own. */
export interface LoadDetail {
  lane: number;
  startedAt: string;
  /** null for an attempt that left none. */
  evidence: EvidenceView | null;
}

export interface EvidenceView {
  timing: Readonly<Record<string, number>>;
  /** null where the record does not say. */
  paint: { firstContentfulMs: number; largestContentfulMs: number } | null;
  connections: ConnectionView[];
  flows: FlowView[];
  link: { down: DirectionView; up: DirectionView };
  proof: ProofLine[];
  /** null where none was kept. */
  trace: TraceView | null;
}
