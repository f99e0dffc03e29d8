/** What the link did in a load, and what packets took on their way through it. */
import { z } from "zod";

const count = z.int().nonnegative();

/** Packets counted over a span of which only bounds are known, because another host's clock reading lay within them. */
export const countBounds = z.strictObject({ atLeast: count, atMost: count });
export type CountBounds = z.infer<typeof countBounds>;

/** What one direction of the link did since it was made. */
export const directionCounters = z.strictObject({
  sentPackets: count,
  sentBytes: count,
  /** Dropped at random, on entry. */
  lostPackets: count,
  /** Dropped because the queue was full. */
  queueDroppedPackets: count,
  /** Still in the delay line or the queue. */
  queuedPackets: count,
});

/** What the shaper's kernel says that one direction is: netem's own parameters. tc-netem(8) */
export const directionParameters = z.strictObject({
  rateMbps: z.number(),
  delayMs: z.number(),
  lossPercent: z.number(),
  queuePackets: z.int(),
  /** What a plain link has not is absent (schema/link.ts). */
  jitterMs: z.number().optional(),
  reorders: z.literal(true).optional(),
  lossBurstPackets: z.number().optional(),
  aqm: z.string().optional(),
});
export type DirectionParameters = z.infer<typeof directionParameters>;

/** As the load began, with the link just made, and when it had ended. */
const direction = directionCounters.extend({
  atStart: directionParameters,
  atEnd: directionParameters,
});
export const linkEvidence = z.strictObject({ down: direction, up: direction });
export type LinkEvidence = z.infer<typeof linkEvidence>;

/** What packets of one direction took from one host's capture to the other's. */
const transitEvidence = z.strictObject({
  /** Seen at both ends. */
  packets: count,
  /** The quickest, and how long its frame was. */
  least: z.strictObject({ ms: z.number(), bytes: count }),
  mostMs: z.number(),
  /** How many came after one that their host had sent later. Not in lines of before there was reordering. */
  reordered: count.optional(),
  /** The longest run of packets of which each waited behind the one before (observe/one-way-delay.ts): so many bytes arrived in so long. */
  backToBack: z.strictObject({ packets: count, bytes: count, ms: z.number() }).nullable(),
});
export type TransitEvidence = z.infer<typeof transitEvidence>;

/** The packets of one direction, in the order of their way; the hosts' counts end a moment before or after the shaper's. */
export const pathEvidence = z.strictObject({
  sentPackets: countBounds,
  /** What entered the shaper: forwarded, lost, dropped, or still in it. */
  shapedPackets: count,
  forwardedPackets: count,
  arrivedPackets: countBounds,
  /** null when no packet was seen at both ends. */
  transit: transitEvidence.nullable(),
});
export type PathEvidence = z.infer<typeof pathEvidence>;
