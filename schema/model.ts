import type { BrowserEvidence } from "../clients/chromium/requests.ts";
import type { ServerFlow } from "../observe/flows.ts";
import type { CountBounds } from "../observe/observer.ts";
import type { ProcessorEvidence } from "../observe/processor.ts";
import type { DirectionCounters } from "../shaper/link.ts";

/** The lab's data: what a condition is and what one load leaves behind. */

/** An emulated link. Rates in Mb/s (10^6 bits a second), the RTT split equally over both directions. */
export interface Channel {
  name: string;
  downMbps: number;
  upMbps: number;
  rttMs: number;
  lossPercent: number;
  queuePackets: number;
}

/** The axes of every experiment, in the order in which conditions and their ids list them. */
export const axisNames = ["page", "servers", "channel", "protocol", "initcwnd", "server", "congestion"] as const;
export type AxisName = (typeof axisNames)[number];

/** One cell of an experiment. `id` is made of its axis values alone, so it is the same in every experiment. */
export interface Condition {
  id: string;
  page: string;
  /** How many hosts the page's objects are divided over. */
  servers: number;
  channel: Channel;
  protocol: string;
  initcwnd: number;
  /** The server software. */
  server: string;
  congestion: string;
}

/** A load to make: a condition in a block. Blocks and attempts count from 1. */
export interface PlannedLoad {
  block: number;
  attempt: number;
  condition: Condition;
}

/** A condition as a line of loads.jsonl holds it: flat, so that `jq` reaches every field in one step. */
export interface FlatCondition extends Omit<Condition, "id" | "channel">, Omit<Channel, "name"> {
  condition: string;
  channel: string;
}

/** One line of loads.jsonl: a load that counts, or one that failed and why. */
export type LoadRecord = FlatCondition & {
  block: number;
  attempt: number;
  /** Wall-clock time at the start, ISO 8601. */
  startedAt: string;
  /** From asking for the condition to its line, milliseconds. */
  wallMs: number;
} & ({ ok: true; pageLoadMs: number; evidence: Evidence } | { ok: false; reason: string; evidence?: Evidence });

/** What browser, network and machine say of one load; the later parts are missing where a load broke before them. */
export interface Evidence extends BrowserEvidence {
  /** Navigation Timing (W3C), milliseconds from navigation start. */
  timing: Record<string, number>;
  /** What the shaper did to the load's packets, each direction. */
  link?: Record<"down" | "up", DirectionCounters>;
  /** What captures at the client and at the servers say. */
  packets?: PacketEvidence;
  /** Hosts whose TCP remembers earlier connections: there must be none. */
  metricsSaved?: string[];
  processor?: ProcessorEvidence;
  /** Parts of the lab that ended during the load, or while its evidence was gathered. */
  ended?: string[];
}

export interface PacketEvidence {
  /** Page load time by the definition of the Yahoo! paper (flows.ts), milliseconds. */
  requestToLastAckMs: number | null;
  path: Record<"down" | "up", PathEvidence>;
  largestFrameBytes: number;
  /** Frames that a capture had no room for. */
  missedFrames: number;
  /** What crossed the lab's networks and is not a load's, in words. */
  foreign: string[];
  flows: FlowEvidence[];
}

/** The packets of one direction, in the order of their way; the hosts' counts end a moment before or after the shaper's. */
export interface PathEvidence {
  sentPackets: CountBounds;
  /** What entered the shaper: forwarded, lost, dropped, or still in it. */
  shapedPackets: number;
  forwardedPackets: number;
  arrivedPackets: CountBounds;
}

/** A TCP connection. */
export interface FlowEvidence {
  host: string;
  clientPort: number;
  handshakeMs: number | null;
  upRetransmittedSegments: number;
  /** The browser's; see ClientFlow. */
  turnMs?: number | null;
  /** What its server saw; null for a connection that never reached it. */
  server: (Omit<ServerFlow, "client" | "server"> & { congestion: string | null }) | null;
}

/** The flat form of a condition; the one place that knows it. */
export function flatten({ id, channel: { name, ...link }, ...axes }: Condition): FlatCondition {
  return { condition: id, channel: name, ...axes, ...link };
}
