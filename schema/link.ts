import { z } from "zod";

/** An emulated link. Rates in Mb/s (10^6 bits a second), the RTT split equally over both directions. */
export const linkSchema = z.strictObject({
  downMbps: z.number(),
  upMbps: z.number(),
  rttMs: z.number(),
  /** Random loss, drawn in each direction. */
  lossPercent: z.number(),
  /** Each direction's drop-tail queue. */
  queuePackets: z.int(),
});
export type Link = z.infer<typeof linkSchema>;

export const directions = ["down", "up"] as const;
export type Direction = (typeof directions)[number];

/** Bytes of a full packet on Ethernet, which is what netem counts, and of what TCP carries in one (with timestamps). */
export const fullFrameBytes = 1514;
export const fullSegmentBytes = 1448;

export const rateOf = (link: Link, direction: Direction) => (direction === "down" ? link.downMbps : link.upMbps);

/** What so many bytes take to leave, milliseconds. */
export const packetMs = (bytes: number, mbps: number) => (bytes * 8) / (mbps * 1000);

/** The queue that a link's name does not mention. */
const usualQueuePackets = 50;

/** The name that follows from what a link is, so that equal links have equal names: "10x1-100ms-1%". */
export function linkName({ downMbps, upMbps, rttMs, lossPercent, queuePackets }: Link): string {
  const queue = queuePackets === usualQueuePackets ? "" : `-q${queuePackets}`;
  return `${downMbps}x${upMbps}-${rttMs}ms-${lossPercent}%${queue}`;
}
