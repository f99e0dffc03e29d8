/** What the captures at both ends show of a load's packets and of its TCP and QUIC connections. Times are in milliseconds. */
import { z } from "zod";
import { pathEvidence } from "./link-evidence.ts";
import { tlsVersions } from "./tls.ts";

const count = z.int().nonnegative();
const span = z.number().nullable();

/** What a connection's segments in flight show of its initial congestion window, in segments. */
const windowBounds = z.strictObject({
  /** A smaller window would not have let out what was sent. */
  atLeast: count,
  /** The server had more to send and stopped at this; null when it never did. */
  atMost: count.nullable(),
});
export type WindowBounds = z.infer<typeof windowBounds>;

/** The receive window that the client offered first, bytes: in its SYN, and then in the first ACK, to which window scaling applies. */
export const receiveWindow = z.strictObject({
  synBytes: count,
  ackBytes: count,
  mssBytes: count,
  /** The SYN's window scale option, an exponent of two (RFC 7323); null when it has none. Not in every line of version 3. */
  scale: count.nullable().optional(),
});
export type ReceiveWindow = z.infer<typeof receiveWindow>;

/**
 * Of the full segments of a connection's first response: how many the client acknowledged one by one without delay, and for how many it
 * delayed the ACK until the next segment or its timer.
 */
export const firstAcks = z.strictObject({ atOnce: count, delayed: count });
export type FirstAcks = z.infer<typeof firstAcks>;

/** What a capture shows of a ServerHello. */
export const serverHello = z.strictObject({
  version: z.enum(tlsVersions),
  /** Of the key exchange, as IANA numbers them; null in TLS 1.2, which has it elsewhere. */
  group: count.nullable(),
  resumed: z.boolean(),
  /** It asked for another key first, which takes a round trip more (HelloRetryRequest). */
  retry: z.boolean(),
  /** The certificates that follow it, with the lengths between them; absent where they are encrypted, or none follow. */
  certificateBytes: count.optional(),
});
export type ServerHello = z.infer<typeof serverHello>;

/** A full handshake, a resumed session, or none (an unencrypted response); "unknown" if the connection begins in another way. */
const handshakeKind = z.enum(["full", "resumed", "none", "unknown"]);
export type HandshakeKind = z.infer<typeof handshakeKind>;

/** What a server's capture shows of one connection. */
export const serverFlow = z.strictObject({
  tls: handshakeKind,
  /** null when the first segment is none. Not in every line of version 3. */
  hello: serverHello.nullable().optional(),
  /** The protocols that the client's hello offers (ALPN); absent where the capture does not reach them, and in lines from before SPDY. */
  offered: z.array(z.string()).optional(),
  /** Data segments sent, and those of them that were sent before. */
  sentSegments: count,
  retransmittedSegments: count,
  /** Data segments sent before the client acknowledged any. */
  firstFlightSegments: count,
  /** Of its stream, before the client ended TLS's handshake. Not in every line of version 3; null where there is none. */
  handshakeBytes: count.nullable().optional(),
  /** What the segments in flight say of initcwnd; null where the handshake had trouble. */
  initcwnd: windowBounds.nullable(),
  /** From a request's last data segment to its answer's first, median: the server's processing; not in every line. */
  turnMs: span.optional(),
  /** Segments more than the two it acknowledged that an acknowledgment let out, median; null where none did. Not in every line of version 3. */
  windowGrowth: z.number().nullable().optional(),
  /** By its socket; null when that was gone. */
  congestion: z.string().nullable(),
  /** Of answers in the clear: from their first segment to the last ACK of something new. Not in every line of version 3. */
  firstDataToLastAckMs: span.optional(),
});

/** A TCP connection, from the captures at both ends. */
const flow = z.strictObject({
  host: z.string(),
  clientPort: z.int(),
  /** From SYN to SYN/ACK; null when one was sent twice. */
  handshakeMs: span,
  upRetransmittedSegments: count,
  /** From an answer's last data segment to the next request's first, median: over HTTP/1.1, the browser's processing. */
  turnMs: span.optional(),
  /** Of requests in the clear: from each one's segment to the last new data before the next. Not in every line of version 3. */
  exchangesMs: z.array(z.number()).optional(),
  /** null when the handshake was not seen whole. */
  receiveWindow: receiveWindow.nullable(),
  /** Not in every line of version 3. */
  firstAcks: firstAcks.optional(),
  /** What its server saw; null for a connection that never reached it. */
  server: serverFlow.nullable(),
});
export type FlowEvidence = z.infer<typeof flow>;

const datagrams = z.strictObject({ datagrams: count, bytes: count });

/** The unencrypted part of a QUIC connection, from the server's capture. Bytes are of UDP payload. */
export const quicServerFlow = z.strictObject({
  /** By the ServerHello, whose keys anyone on the way can derive. */
  tls: handshakeKind,
  /** null when it was not read. Not in every line of version 3. */
  hello: serverHello.nullable().optional(),
  sent: datagrams,
  /** Before the client sent what only an answer to this lets it send. */
  firstFlight: datagrams,
  /** Packets of both sides that were seen to have a long header. */
  longHeaders: z.strictObject({ initial: count, zeroRtt: count, handshake: count, retry: count }),
});
export type QuicServerFlow = z.infer<typeof quicServerFlow>;

/** A QUIC connection, from the captures at both ends. */
const quicFlow = z.strictObject({
  host: z.string(),
  clientPort: z.int(),
  /** As the client's first packet has it: 1 is RFC 9000's. */
  version: count,
  /** From the client's first datagram to the server's first; null when the client had to repeat its own. */
  handshakeMs: span,
  sent: datagrams,
  /** What its server saw; null for a connection that never reached it. */
  server: quicServerFlow.nullable(),
});
export type QuicFlowEvidence = z.infer<typeof quicFlow>;

export const packetEvidence = z.strictObject({
  /** From the first SYN, or QUIC's first datagram, to the first request, and from there to the last new data of a connection with requests. */
  synToRequestMs: span,
  requestToLastDataMs: span,
  /** Page load time by the definition of the Yahoo! paper (observe/tcp-flows.ts). */
  requestToLastAckMs: span,
  path: z.strictObject({ down: pathEvidence, up: pathEvidence }),
  largestFrameBytes: count,
  /** Frames that a capture had no room for. */
  missedFrames: count,
  /** What crossed the lab's networks and is not a load's, in words. */
  foreign: z.array(z.string()),
  flows: z.array(flow),
  /** Not in lines from before HTTP/3. */
  quicFlows: z.array(quicFlow).optional(),
});
export type PacketEvidence = z.infer<typeof packetEvidence>;
