/** What a server's TCP has recorded of a client in the connections of an earlier visit. */
import { z } from "zod";

const count = z.int().nonnegative();

/** The numbers of one connection, read from its socket (ss(8)) after all data was delivered. */
const knownConnection = z.strictObject({
  /** The smallest and the smoothed round-trip time. */
  minRttMs: z.number().positive(),
  rttMs: z.number().positive(),
  /** The rate at which segments were delivered. If the sending program limited it in all samples, the highest sample is used. */
  deliveryMbps: z.number().nonnegative(),
  /** The congestion window at the connection's end, segments. */
  cwnd: count,
  /** The number of retransmissions, including those of the SYN/ACK. */
  retransmittedSegments: count,
  /** Bytes that the client has acknowledged. */
  deliveredBytes: count,
});
export type KnownConnection = z.infer<typeof knownConnection>;
export const knownConnections = z.array(knownConnection);

export const knownClient = z.strictObject({ host: z.string(), connections: knownConnections.min(1) });
export type KnownClient = z.infer<typeof knownClient>;
