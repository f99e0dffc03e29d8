/** What the captures at both ends show of a load's packets and of its TCP and QUIC connections. Times are in milliseconds. */
import { z } from "zod";
import { pathEvidence } from "./link-evidence.ts";
import { tlsVersions } from "./tls.ts";

const count = z.int().nonnegative();
const span = z.number().nullable();

/** What a connection's segments in flight show about its initial congestion window, in segments. */
export const windowBounds = z.strictObject({
  /** The window was at least this, because this many segments were in flight. */
  atLeast: count,
  /** The window was at most this, because the server had more to send but stopped; null if the server never stopped. */
  atMost: count.nullable(),
});
export type WindowBounds = z.infer<typeof windowBounds>;

/** The receive window that the client offered first, bytes: in its SYN, and then in the first ACK, to which window scaling applies. */
export const receiveWindow = z.strictObject({
  synBytes: count,
  ackBytes: count,
  mssBytes: count,
  /** The SYN's window scale option, an exponent of two (RFC 7323); null if it has none. */
  scale: count.nullable(),
});
export type ReceiveWindow = z.infer<typeof receiveWindow>;

/** How many full segments of the first response the client acknowledged singly and at once, and how many only after the next segment or a timer. */
export const firstAcks = z.strictObject({ atOnce: count, delayed: count });
export type FirstAcks = z.infer<typeof firstAcks>;

export const serverHello = z.strictObject({
  version: z.enum(tlsVersions),
  /** The key exchange group, by IANA's numbers; null in TLS 1.2, where another message contains the group. */
  group: count.nullable(),
  resumed: z.boolean(),
  /** Whether the server first demanded a key of another group, which takes one more round trip (HelloRetryRequest). */
  retry: z.boolean(),
  /** The bytes of the certificates that follow, with the length fields between them; absent if they are encrypted or missing. */
  certificateBytes: count.optional(),
});
export type ServerHello = z.infer<typeof serverHello>;

/** A full handshake, a resumed session, or none (an unencrypted response); "unknown" if the connection begins in another way. */
const handshakeKind = z.enum(["full", "resumed", "none", "unknown"]);
export type HandshakeKind = z.infer<typeof handshakeKind>;

/**
 * The longest time from the last ACK of a response to the next request. `flightSegments`: how many data segments the server then sent before
 * the first ACK. `windowWasFull`: whether this ACK let the server send more. `mostBefore`: the most segments in flight before the idle time.
 */
const afterIdle = z.strictObject({
  idleMs: z.number(),
  flightSegments: count,
  windowWasFull: z.boolean(),
  mostBefore: count,
});
export type AfterIdle = z.infer<typeof afterIdle>;

export const serverFlow = z.strictObject({
  tls: handshakeKind,
  /** null if the first segment is not a ServerHello. */
  hello: serverHello.nullable(),
  /** The protocols that the ClientHello offers (ALPN); absent if the captured bytes end before them. */
  offered: z.array(z.string()).optional(),
  /** The number of data segments that the server sent, and how many of them were retransmissions. */
  sentSegments: count,
  retransmittedSegments: count,
  /** The number of data segments sent before the client acknowledged any. */
  firstFlightSegments: count,
  /** Bytes that the server sent before the client finished the TLS handshake; null without a handshake. */
  handshakeBytes: count.nullable(),
  /** null if the SYN or SYN/ACK was retransmitted. */
  initcwnd: windowBounds.nullable(),
  /** Absent if the connection was never idle for TCP's minimum retransmission time-out (200 ms), and in records from before 2026-11-24. */
  afterIdle: afterIdle.optional(),
  /** Median time from a request's last data segment to the response's first: the server's processing time. Not in every record. */
  turnMs: span.optional(),
  /** Without TLS: time from a response's first segment to its first one after `firstBurstBytes`; absent for shorter responses. Since 2026-11-24. */
  firstBurstToRestMs: z.number().optional(),
  /** By how many segments the window grew for each ACK of two segments: the median over bursts; null if no burst came after such ACKs only. */
  windowGrowth: z.number().nullable(),
  /** The congestion control that the server's socket reported; null if the socket was already closed. */
  congestion: z.string().nullable(),
  /** Time from the first data segment to the last ACK of new data; absent if responses are encrypted, or not all data was acknowledged. */
  firstDataToLastAckMs: span.optional(),
});

/** How the bytes of responses, including headers, arrived at the client on a decrypted connection. */
const streams = z.strictObject({
  responses: count,
  bytes: count,
  /** Bytes that arrived before earlier bytes of the same response. */
  waitedBytes: count,
  /** Head-of-line blocking: bytes that waited for another response's bytes after all earlier bytes of their own had arrived; 0 over HTTP/3. */
  blockedBytes: count,
  longestBlockedMs: z.number(),
  /** Over HTTP/3: bytes that could be read while earlier bytes of another response were missing. Over TCP they would have waited. */
  passedBytes: count.optional(),
  /** Bytes that the server sent while a response of higher urgency waited (RFC 9218); absent if the client sent no priorities. */
  earlyBytes: count.optional(),
  /** The fewest `earlyBytes` of a server that ignores urgency, an estimate: it counts only requests after less urgent ones. Since 2026-11-28. */
  contestedBytes: count.optional(),
});
export type StreamsEvidence = z.infer<typeof streams>;

/** A TCP connection, from the captures at both ends. */
const flow = z.strictObject({
  host: z.string(),
  clientPort: z.int(),
  /** Time from SYN to SYN/ACK; null if one of them was retransmitted. */
  handshakeMs: span,
  /** If the SYN or SYN/ACK was retransmitted: time from the first SYN to the first SYN/ACK. Not in records from before 2026-11-27. */
  answerMs: z.number().optional(),
  /** The times of the SYN's retransmissions, counted from the first SYN; absent if there were none. Since 2026-11-28. */
  synsAgainMs: z.array(z.number()).optional(),
  /** Time from the first SYN to the client's Finished, which ends the TLS handshake; absent without a handshake. Since 2026-11-28. */
  tlsHandshakeMs: z.number().optional(),
  upRetransmittedSegments: count,
  /** Median time from a response's last data segment to the next request's first: over HTTP/1.1, the browser's processing time. */
  turnMs: span.optional(),
  /** Time from each request's segment to the last new data before the next request; absent if requests are encrypted. */
  exchangesMs: z.array(z.number()).optional(),
  /** null if the captures do not have the whole TCP handshake. */
  receiveWindow: receiveWindow.nullable(),
  firstAcks,
  /** Over HTTP/2, if the client logged the connection's secrets. Since 2026-11-28. */
  streams: streams.optional(),
  /** The connection's SYN and SYN/ACK agreed on ECN (RFC 3168, section 6.1.1). Since 2026-11-28. */
  ecn: z.literal(true).optional(),
  /** What the server's capture shows; null for a connection that never reached the server. */
  server: serverFlow.nullable(),
});
export type FlowEvidence = z.infer<typeof flow>;

const datagrams = z.strictObject({ datagrams: count, bytes: count });

/** What a server's packets show once they are decrypted with the connection's secrets. Only packets that the client must acknowledge count. */
export const openedQuic = z.strictObject({
  /** Packets of both ends that no key decrypted. */
  unopened: count,
  sentPackets: count,
  acknowledgedPackets: count,
  /** Lost by the packet threshold of RFC 9002: a packet that was sent three packets later was acknowledged first. */
  lostPackets: count,
  /** Bytes of streams that the server retransmitted because it assumed that the first transmission was lost. */
  repeatedBytes: count,
  mostInFlightBytes: count,
  /** How often the server signalled that the client's flow control held back a stream or all (RFC 9000, section 4.1). Since 2026-11-29. */
  blockedFrames: count.optional(),
  /** Packets in flight when the client first acknowledged data of a response; null if the client never did. */
  firstFlight: z.strictObject({ packets: count, bytes: count }).nullable(),
  /** The initial congestion window was at least this, by the bytes in flight before any packet was missing; null if none were in flight. */
  initialWindowAtLeastBytes: count.nullable(),
  /**
   * The fewest bytes in flight, plus one packet, at which the server stopped within a response and waited for an acknowledgment. The cause was
   * its congestion window or a full buffer in the server. null if it never stopped before a packet was missing.
   */
  stoppedBytes: count.nullable(),
  /** Time from a packet to its first acknowledgment, including the client's delay. */
  roundTripMs: z.strictObject({ least: z.number(), median: z.number() }).nullable(),
  /** Which end closed the connection during the capture, and with which error code; absent if neither end did. */
  closed: z.strictObject({ by: z.enum(["client", "server"]), error: count }).optional(),
});
export type OpenedQuic = z.infer<typeof openedQuic>;

/** The unencrypted part of a QUIC connection, from the server's capture. Bytes are of UDP payload. */
export const quicServerFlow = z.strictObject({
  /** Read from the ServerHello, which anyone on the path can decrypt. */
  tls: handshakeKind,
  /** null if it could not be read. */
  hello: serverHello.nullable(),
  sent: datagrams,
  /** What the server sent before the client sent anything that depends on it. */
  firstFlight: datagrams,
  /** The number of packets of both sides with a long header. */
  longHeaders: z.strictObject({ initial: count, zeroRtt: count, handshake: count, retry: count }),
  /** The client's first packet was lost or reordered. A server may then answer the rest of the ClientHello with a Retry. Since 2026-11-28. */
  startMissed: z.literal(true).optional(),
  /** Absent if the client logged no secrets, and in records from before 2026-11-27. */
  opened: openedQuic.optional(),
});
export type QuicServerFlow = z.infer<typeof quicServerFlow>;

/** A QUIC connection, from the captures at both ends. */
const quicFlow = z.strictObject({
  host: z.string(),
  clientPort: z.int(),
  /** The version in the client's first packet: 1 is RFC 9000's. */
  version: count,
  /** Time from the client's first datagram to the server's first datagram; null if the client had to retransmit its first datagram. */
  handshakeMs: span,
  /** The same time if the client had to retransmit its first datagram. Not in records from before 2026-11-27. */
  answerMs: z.number().optional(),
  sent: datagrams,
  /** If the client logged the connection's secrets. Since 2026-11-28. */
  streams: streams.optional(),
  /** What the server's capture shows; null for a connection that never reached the server. */
  server: quicServerFlow.nullable(),
});
export type QuicFlowEvidence = z.infer<typeof quicFlow>;

export const packetEvidence = z.strictObject({
  /** Time from the first SYN or QUIC's first datagram to the first request, and from then to the last new data of connections with requests. */
  synToRequestMs: span,
  requestToLastDataMs: span,
  /** Page load time by the definition of the Yahoo! paper (observe/load-spans.ts). */
  requestToLastAckMs: span,
  path: z.strictObject({ down: pathEvidence, up: pathEvidence }),
  largestFrameBytes: count,
  /** The number of frames that a capture had no room for. */
  missedFrames: count,
  /** Descriptions of packets on the lab's networks that do not belong to the load. */
  foreign: z.array(z.string()),
  flows: z.array(flow),
  /** Not in records from before the lab had HTTP/3. */
  quicFlows: z.array(quicFlow).optional(),
});
export type PacketEvidence = z.infer<typeof packetEvidence>;
