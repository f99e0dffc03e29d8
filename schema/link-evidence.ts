/** What the link did during a load, and how long packets took to cross it. */
import { z } from "zod";

const count = z.int().nonnegative();

/** Bounds of a number of packets. The exact number is unknown, because hosts read their counters at slightly different times. */
export const countBounds = z.strictObject({ atLeast: count, atMost: count });
export type CountBounds = z.infer<typeof countBounds>;

/** The counters of one direction of the link, since the link was set up. */
export const directionCounters = z.strictObject({
  sentPackets: count,
  sentBytes: count,
  /** Packets dropped at random, on entry. */
  lostPackets: count,
  /** Packets dropped because the queue was full. */
  queueDroppedPackets: count,
  /** Packets still in the delay line or the queue. */
  queuedPackets: count,
});

/** The parameters of one direction, as the shaper's kernel reports them. tc-netem(8) */
export const directionParameters = z.strictObject({
  rateMbps: z.number(),
  delayMs: z.number(),
  lossPercent: z.number(),
  /** The queue's limit in packets. For a queue that is limited in bytes, how many full packets fit. */
  queuePackets: z.int(),
  queueBytes: z.int().optional(),
  /** Parameters that a plain link does not have are absent (schema/link.ts). */
  jitterMs: z.number().optional(),
  reorders: z.literal(true).optional(),
  lossBurstPackets: z.number().optional(),
  duplicatePercent: z.number().optional(),
  corruptPercent: z.number().optional(),
  aqm: z.string().optional(),
  /** Whether fq_codel marks packets. Since 2026-11-28. */
  ecn: z.literal(true).optional(),
});
export type DirectionParameters = z.infer<typeof directionParameters>;

/** One direction's counters, and its parameters at the start of the load (just after the link was set up) and after the load's end. */
const direction = directionCounters.extend({
  /** Arrivals with a wrong checksum, which the receiver's kernel discarded; present if the link corrupts packets. Since 2026-11-28. */
  damagedPackets: count.optional(),
  atStart: directionParameters,
  atEnd: directionParameters,
});
/** A link's position in its trace: at `offsetMs` when the link was set up. The other times are milliseconds since the set-up. */
const traceEvidence = z.strictObject({
  offsetMs: z.number().nonnegative(),
  /** When the page's navigation began; null if the client does not report it. */
  navigationMs: z.number().nullable(),
  /** When the parameters `atEnd` were read, at the earliest and at the latest. */
  readMs: z.tuple([z.number(), z.number()]),
});
export type TraceEvidence = z.infer<typeof traceEvidence>;

export const linkEvidence = z.strictObject({
  down: direction,
  up: direction,
  /** Present if the link has a trace. Since 2026-11-28. */
  trace: traceEvidence.optional(),
});
export type LinkEvidence = z.infer<typeof linkEvidence>;

/** How long the packets of one direction took from the capture at the sending host to the capture at the receiving host. */
const transitEvidence = z.strictObject({
  /** The number of packets that both captures have. */
  packets: count,
  /** The quickest packet's time, and the length of its frame. */
  least: z.strictObject({ ms: z.number(), bytes: count }),
  mostMs: z.number(),
  /** The number of packets that arrived after a packet that was sent later. Not in records that are older than the axis `reorder`. */
  reordered: count.optional(),
  /** The most bytes in packets that queued behind one another (observe/one-way-delay.ts), and the time in which these packets arrived. */
  backToBack: z
    .strictObject({
      packets: count,
      bytes: count,
      ms: z.number(),
      /** When this time began, in milliseconds after a link with a trace was set up. Since 2026-11-28. */
      fromMs: z.number().optional(),
    })
    .nullable(),
  /**
   * The most bytes ahead of a packet in its burst (packets that were sent within 0.5 ms and arrived one after the other). In records from
   * before 2026-11-29, it is the number of bytes after the burst's first packet. Even older records lack it.
   */
  sentAtOnceBytes: count.optional(),
});
export type TransitEvidence = z.infer<typeof transitEvidence>;

/** The number of packets of one direction at each point of their path. The hosts' counts end slightly before or after the shaper's. */
export const pathEvidence = z.strictObject({
  sentPackets: countBounds,
  /** Packets that entered the shaper: forwarded, lost, dropped, or still in it. */
  shapedPackets: count,
  forwardedPackets: count,
  arrivedPackets: countBounds,
  /** Arrivals of packets that had arrived already; present if the link duplicates packets. Since 2026-11-28. */
  copies: count.optional(),
  /** null if no packet is in both captures. */
  transit: transitEvidence.nullable(),
  /** Packets that arrived with ECT or CE in their IP header (RFC 3168), and how many had CE; absent if none arrived. Since 2026-11-28. */
  ecn: z.strictObject({ capable: count, marked: count }).optional(),
});
export type PathEvidence = z.infer<typeof pathEvidence>;
