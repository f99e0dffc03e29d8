/** What the link did during a load, and how long packets took to cross it. */
import { z } from "zod";

const count = z.int().nonnegative();

/** A number of packets of which only bounds are known, because it was read at a slightly different time than on another host. */
export const countBounds = z.strictObject({ atLeast: count, atMost: count });
export type CountBounds = z.infer<typeof countBounds>;

/** The counters of one direction of the link, since it was set up. */
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

/** The parameters of one direction, as the shaper's kernel reports them. tc-netem(8) */
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

/** Parameters at the start of the load, just after the link was set up, and after its end. */
const direction = directionCounters.extend({
  atStart: directionParameters,
  atEnd: directionParameters,
});
export const linkEvidence = z.strictObject({ down: direction, up: direction });
export type LinkEvidence = z.infer<typeof linkEvidence>;

/** How long the packets of one direction took from one host's capture to the other's. */
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

/** The number of packets of one direction at each point of their path. The hosts' counts end slightly before or after the shaper's. */
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
