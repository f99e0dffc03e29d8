/** What a link's measured values are computed from: whole microseconds, each value once with its count, so that a line stays short. */
import { z } from "zod";

const count = z.int().positive();
/** Each value, ascending, with its count. */
const histogram = z.array(z.tuple([z.int(), count]));
export type Histogram = z.infer<typeof histogram>;

const directionSamplesSchema = z.strictObject({
  /** One-way delays of the small packets that arrived through the idle link. */
  idleDelaysUs: histogram,
  /** How many small packets were lost in a row. */
  lostInRow: histogram,
  /** The shortest one-way delay of the full packets; null if none arrived. The first full packets find the queue empty. */
  shortestDelayUs: z.int().nullable(),
  /** One-way delays of the full packets once the queue is full. */
  fullDelaysUs: histogram,
  /** For the full packets once the queue is full: the time since the previous packet arrived, the frame's bytes, and the count of this pair. */
  arrivals: z.array(z.tuple([z.int(), z.int().positive(), count])),
});
export type DirectionSamples = z.infer<typeof directionSamplesSchema>;

export const linkSamplesSchema = z.strictObject({
  /** RTTs of TCP handshakes through the idle link. */
  handshakesUs: histogram,
  /** Payload that arrived for the first time, over all connections, in each measured second. */
  goodputBytes: z.array(z.int().nonnegative()),
  down: directionSamplesSchema,
  up: directionSamplesSchema,
  /** For a link with a trace: the bytes of frames that arrived in each second from `fromSecond` of the trace on, while the link was full. */
  played: z
    .strictObject({
      fromSecond: z.int().nonnegative(),
      down: z.array(z.int().nonnegative()),
      up: z.array(z.int().nonnegative()),
    })
    .optional(),
});
export type LinkSamples = z.infer<typeof linkSamplesSchema>;
