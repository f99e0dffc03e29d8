import { z } from "zod";
import { fastestMbps, longestCarryingMs, rateTraceSchema } from "./rate-trace.ts";

/** The limit of a drop-tail queue, in packets of any size or in bytes. For a limit in bytes, `queuePackets` is how many full packets fit. */
const queueLimit = z.strictObject({ queuePackets: z.int(), queueBytes: z.int().optional() });
export type QueueLimit = z.infer<typeof queueLimit>;

/** An emulated link. Rates are in Mb/s (10^6 bits a second). The RTT is split equally over both directions. */
export const linkSchema = z.strictObject({
  downMbps: z.number(),
  upMbps: z.number(),
  rttMs: z.number(),
  lossPercent: z.number(),
  /** The queue before the bottleneck in each direction; in the direction up, `upQueue` replaces it. */
  ...queueLimit.shape,
  upQueue: queueLimit.optional(),
  /** Random delay added to each packet's one-way delay, uniformly distributed from 0 to this value; no jitter if absent. */
  jitterMs: z.number().optional(),
  /** Set if jitter reorders packets; if absent, each packet waits for the packets ahead of it. */
  reorders: z.literal(true).optional(),
  /** How many packets are lost in a row, on average (Gilbert's model); independent losses if absent. */
  lossBurstPackets: z.number().optional(),
  /** The only direction with random loss; both directions if absent. */
  lossIn: z.enum(["down", "up"]).optional(),
  /** The share of packets that arrive twice, percent, in both directions; none if absent. Since 2026-11-28. */
  duplicatePercent: z.number().optional(),
  /** The share of packets that arrive with a wrong bit, percent, in both directions; none if absent. Since 2026-11-28. */
  corruptPercent: z.number().optional(),
  /** The AQM that manages the queue; drop-tail if absent. */
  aqm: z.enum(["fq_codel", "cake", "dualpi2"]).optional(),
  /** Set if the AQM marks packets that allow marks (RFC 3168), instead of dropping them. Since 2026-11-28. */
  ecn: z.literal(true).optional(),
  /** Loads with the same seed lose the same packets, counted from the first; if absent, each load has its own seed. Requires tc and Linux 6.6. */
  lossSeed: z.int().nonnegative().optional(),
  /** The rates vary as in this trace; `downMbps` and `upMbps` are then its averages. Since 2026-11-28. */
  trace: rateTraceSchema.optional(),
  /** Where in its trace the link begins when it is set up, milliseconds; if absent, the link keeps its average rates. */
  traceOffsetMs: z.number().nonnegative().optional(),
});
export type Link = z.infer<typeof linkSchema>;

export const directions = ["down", "up"] as const;
export type Direction = (typeof directions)[number];

/** The bytes of a full packet on Ethernet, as netem counts them, and the bytes of TCP's payload in this packet (with timestamps). */
export const fullFrameBytes = 1514;
export const fullSegmentBytes = 1448;

/** Returns a direction's rate, or its average rate if the rate varies. */
export const rateOf = (link: Link, direction: Direction) => (direction === "down" ? link.downMbps : link.upMbps);

export const highestRateOf = (link: Link, direction: Direction): number =>
  link.trace ? fastestMbps(link.trace[direction]) : rateOf(link, direction);

export const queueOf = (link: Link, direction: Direction): QueueLimit =>
  direction === "up" && link.upQueue
    ? link.upQueue
    : { queuePackets: link.queuePackets, ...(link.queueBytes !== undefined && { queueBytes: link.queueBytes }) };

export const fullPacketsIn = (bytes: number): number => Math.floor(bytes / fullFrameBytes);

export const queuedBytes = ({ queuePackets, queueBytes = queuePackets * fullFrameBytes }: QueueLimit): number =>
  queueBytes;

/** Returns the longest time to send a direction's full queue and this many more full packets, milliseconds. */
export const fullQueueMs = (link: Link, direction: Direction, morePackets = 0): number =>
  longestPacketMs(link, direction, queuedBytes(queueOf(link, direction)) + morePackets * fullFrameBytes);

/** Returns how long the bottleneck takes to send this many bytes, in milliseconds; if its rate varies, at the worst moment. */
const longestPacketMs = (link: Link, direction: Direction, bytes: number): number =>
  link.trace
    ? longestCarryingMs(link.trace[direction], bytes + packetsOff * fullFrameBytes)
    : packetMs(bytes, rateOf(link, direction));

export const lossPercentOf = ({ lossPercent, lossIn }: Pick<Link, "lossPercent" | "lossIn">, direction: Direction) =>
  lossIn === undefined || lossIn === direction ? lossPercent : 0;

export const packetMs = (bytes: number, mbps: number) => (bytes * 8) / (mbps * 1000);

/** Size of the token bucket: slightly more than a full frame, because it counts in ticks. tc-tbf(8) */
export const bucketBytes = 1600;

/** How late Linux may update a token bucket, milliseconds. On the virtual clock, this is as long as a program takes to react. */
const lookedAtLateMs = 0.2;
/** Returns a token bucket's size for a varying rate: it must hold the tokens that come until Linux updates it, or the link is too slow. */
export const tracedBucketBytes = (mbps: number): number =>
  bucketBytes + Math.min(fullFrameBytes, Math.round(125 * mbps * lookedAtLateMs));

/** By how many full packets a link may be ahead of or behind its trace, because it sends whole packets (shaper/played-rates.ts). */
export const packetsOff = 2;

/**
 * Whether a token bucket, not netem, limits a direction's rate. netem's own queue counts only packets, hides them from an AQM, and schedules
 * packets on entry, so later changes of the rate do not affect them. And Linux allows no second netem if the first one duplicates packets.
 */
export const hasTokens = (link: Link, direction: Direction): boolean =>
  link.aqm !== undefined ||
  link.trace !== undefined ||
  link.duplicatePercent !== undefined ||
  queueOf(link, direction).queueBytes !== undefined;

/** Bytes that may pass at once: a full token bucket, and the bytes by which a link may be ahead of its trace. */
const atOnceBytes = (link: Link, direction: Direction) =>
  (hasTokens(link, direction) ? bucketBytes : 0) + (link.trace ? packetsOff * fullFrameBytes : 0);

/** Returns the minimum transmission time of bytes on a link. The first bytes may pass at once, and the rest pass at the highest rate. */
export const sendingMs = (link: Link, direction: Direction, bytes: number) =>
  packetMs(Math.max(0, bytes - atOnceBytes(link, direction)), highestRateOf(link, direction));

/** Returns the maximum transmission time of bytes that find an empty queue. It differs from the minimum only if the rate varies. */
export const longestSendingMs = (link: Link, direction: Direction, bytes: number) =>
  link.trace ? longestPacketMs(link, direction, bytes) : sendingMs(link, direction, bytes);

/** Returns Gilbert's transition probabilities: from delivering to losing, and from losing to delivering. */
export function burstShares({ lossPercent, lossBurstPackets = 1 }: Pick<Link, "lossPercent" | "lossBurstPackets">) {
  const lost = lossPercent / 100;
  const toKept = 1 / lossBurstPackets;
  return { toLost: (toKept * lost) / (1 - lost), toKept };
}

/** Returns the factor by which the standard deviation of the number of lost packets is larger than with independent losses. */
export function burstSpread(link: Pick<Link, "lossPercent" | "lossBurstPackets">): number {
  if (link.lossBurstPackets === undefined) return 1;
  const { toLost, toKept } = burstShares(link);
  const correlation = 1 - toLost - toKept;
  return Math.sqrt((1 + correlation) / (1 - correlation));
}

/** The default queue, which a link's name leaves out. */
const usualQueuePackets = 50;

const lengthIn = ({ queuePackets, queueBytes }: QueueLimit) =>
  queueBytes === undefined ? `${queuePackets}` : `${queueBytes}B`;

/** Returns a name computed from the link's properties, so that equal links have equal names: "10x1-100ms-1%". */
export function linkName(link: Link): string {
  const { downMbps, upMbps, rttMs, lossPercent, upQueue, jitterMs, reorders, lossBurstPackets } = link;
  const { lossIn, duplicatePercent, corruptPercent, aqm, ecn, trace } = link;
  const queue = lengthIn(queueOf(link, "down"));
  const more = [
    queue === String(usualQueuePackets) ? "" : `-q${queue}`,
    upQueue ? `-qup${lengthIn(upQueue)}` : "",
    jitterMs === undefined ? "" : `-j${jitterMs}ms`,
    reorders ? "-reorder" : "",
    lossBurstPackets === undefined ? "" : `-b${lossBurstPackets}`,
    lossIn === undefined ? "" : `-loss${lossIn}`,
    duplicatePercent === undefined ? "" : `-dup${duplicatePercent}%`,
    corruptPercent === undefined ? "" : `-corrupt${corruptPercent}%`,
    aqm ? `-${aqm}` : "",
    ecn ? "-ecn" : "",
    trace ? `-${trace.name}` : "",
  ];
  return `${downMbps}x${upMbps}-${rttMs}ms-${lossPercent}%${more.join("")}`;
}
