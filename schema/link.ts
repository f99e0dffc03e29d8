import { z } from "zod";

/** An emulated link. Rates in Mb/s (10^6 bits a second), the RTT split equally over both directions. */
export const linkSchema = z.strictObject({
  downMbps: z.number(),
  upMbps: z.number(),
  rttMs: z.number(),
  /** Random loss, drawn in each direction, or in `lossIn` alone. */
  lossPercent: z.number(),
  /** Each direction's queue, before the bottleneck. */
  queuePackets: z.int(),
  /** What is added to a packet's delay in each direction, drawn evenly from 0 to this; nothing where absent. */
  jitterMs: z.number().optional(),
  /** Packets overtake one another as jitter has it; where absent they wait for those ahead of them. */
  reorders: z.literal(true).optional(),
  /** How many packets are lost in a row, on average (Gilbert's model); each by itself where absent. */
  lossBurstPackets: z.number().optional(),
  /** The one direction that loses packets; both where absent. */
  lossIn: z.enum(["down", "up"]).optional(),
  /** What manages the queue; where absent, it drops what comes when it is full. */
  aqm: z.enum(["fq_codel"]).optional(),
});
export type Link = z.infer<typeof linkSchema>;

export const directions = ["down", "up"] as const;
export type Direction = (typeof directions)[number];

/** Bytes of a full packet on Ethernet, which is what netem counts, and of what TCP carries in one (with timestamps). */
export const fullFrameBytes = 1514;
export const fullSegmentBytes = 1448;

export const rateOf = (link: Link, direction: Direction) => (direction === "down" ? link.downMbps : link.upMbps);

/** Random loss of one direction. */
export const lossPercentOf = ({ lossPercent, lossIn }: Pick<Link, "lossPercent" | "lossIn">, direction: Direction) =>
  lossIn === undefined || lossIn === direction ? lossPercent : 0;

/** What so many bytes take to leave, milliseconds. */
export const packetMs = (bytes: number, mbps: number) => (bytes * 8) / (mbps * 1000);

/** What a token bucket lets through at once: a full frame and a little, for it counts in ticks. tc-tbf(8) */
export const bucketBytes = 1600;

/** The least that so many bytes take to leave: below a token bucket, which an AQM stands under, the first are free. */
export const sendingMs = (link: Link, direction: Direction, bytes: number) =>
  packetMs(Math.max(0, bytes - (link.aqm ? bucketBytes : 0)), rateOf(link, direction));

/** The share of packets after which the next one's fate changes: from kept to lost, and from lost to kept. */
export function burstShares({ lossPercent, lossBurstPackets = 1 }: Pick<Link, "lossPercent" | "lossBurstPackets">) {
  const lost = lossPercent / 100;
  const toKept = 1 / lossBurstPackets;
  return { toLost: (toKept * lost) / (1 - lost), toKept };
}

/** By how much the number of lost packets scatters more than of packets lost each by itself: a standard deviation's factor. */
export function burstSpread(link: Pick<Link, "lossPercent" | "lossBurstPackets">): number {
  if (link.lossBurstPackets === undefined) return 1;
  const { toLost, toKept } = burstShares(link);
  const correlation = 1 - toLost - toKept;
  return Math.sqrt((1 + correlation) / (1 - correlation));
}

/** The queue that a link's name does not mention. */
const usualQueuePackets = 50;

/** The name that follows from what a link is, so that equal links have equal names: "10x1-100ms-1%". */
export function linkName(link: Link): string {
  const { downMbps, upMbps, rttMs, lossPercent, queuePackets, jitterMs, reorders, lossBurstPackets, lossIn, aqm } =
    link;
  const more = [
    queuePackets === usualQueuePackets ? "" : `-q${queuePackets}`,
    jitterMs === undefined ? "" : `-j${jitterMs}ms`,
    reorders ? "-reorder" : "",
    lossBurstPackets === undefined ? "" : `-b${lossBurstPackets}`,
    lossIn === undefined ? "" : `-loss${lossIn}`,
    aqm ? `-${aqm}` : "",
  ];
  return `${downMbps}x${upMbps}-${rttMs}ms-${lossPercent}%${more.join("")}`;
}
