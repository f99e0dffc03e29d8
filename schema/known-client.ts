/** What a server's TCP knows of a client by the connections of an earlier visit. */
import { z } from "zod";

const count = z.int().nonnegative();

/** Of one connection, as its socket has it when all has been delivered. ss(8) */
const knownConnection = z.strictObject({
  /** The least round trip, and the smoothed one. */
  minRttMs: z.number().positive(),
  rttMs: z.number().positive(),
  /** The rate at which its segments were delivered, the best sample of those that its program held back. */
  deliveryMbps: z.number().nonnegative(),
  /** Its congestion window at the end, segments. */
  cwnd: count,
  /** Sent again, the SYN's answer included. */
  retransmittedSegments: count,
  /** What the client has acknowledged. */
  deliveredBytes: count,
});
export type KnownConnection = z.infer<typeof knownConnection>;
export const knownConnections = z.array(knownConnection);

/** Of a host that the client had connections to. */
export const knownClient = z.strictObject({ host: z.string(), connections: knownConnections.min(1) });
export type KnownClient = z.infer<typeof knownClient>;
