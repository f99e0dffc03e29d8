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

/** What the browser and the network say of one load, in plain counts. */
export interface Evidence {
  /** Requests the browser sent, and those that failed. */
  requests: number;
  failed: number;
  /** Requests by protocol, as the browser reports it: {"h2": 102}. */
  protocols: Record<string, number>;
  /** TCP connections by host: {"s1.lab": 6}. */
  connections: Record<string, number>;
  /** Bytes received with headers, after TLS (CDP encodedDataLength). */
  receivedBytes: number;
  /** Responses that came from a cache. */
  fromCache: number;
  /** Navigation Timing (W3C), milliseconds from navigation start. */
  timing: Record<string, number>;
  /** What the shaper did to the load's packets, each direction. */
  link?: Record<"down" | "up", DirectionCounters>;
}

/** The flat form of a condition; the one place that knows it. */
export function flatten({ id, channel: { name, ...link }, ...axes }: Condition): FlatCondition {
  return { condition: id, channel: name, ...axes, ...link };
}
