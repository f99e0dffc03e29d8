/** What one load leaves behind beside its time: by the client, the network and the machine. Times in milliseconds. */
import { z } from "zod";
import { knownClient } from "./known-client.ts";
import { linkEvidence, pathEvidence } from "./link-evidence.ts";
import { tlsVersions } from "./tls.ts";

export * from "./link-evidence.ts";

const count = z.int().nonnegative();
const span = z.number().nullable();

/** The version of the records. Evidence names it, so that a judge knows what a line of that version could see. */
export const schemaVersion = 3;

/** What a connection's segments in flight say of its initial congestion window, in segments. */
const windowBounds = z.strictObject({
  /** A smaller window would not have let out what was sent. */
  atLeast: count,
  /** The server had more to send and stopped at this; null when it never did. */
  atMost: count.nullable(),
});
export type WindowBounds = z.infer<typeof windowBounds>;

const request = z.strictObject({
  path: z.string(),
  status: z.int(),
  /** Received with headers, after TLS (CDP encodedDataLength). */
  bytes: z.number(),
  /** Since the first request; `endMs` is null when its last byte never came. */
  startMs: z.number(),
  endMs: span,
  /** When the client handed it to a connection, and when it had its answer's headers; not in every line of version 3. */
  sentMs: z.number().optional(),
  answeredMs: z.number().optional(),
  /** What asked for it, if not the markup: when, and whether before the load event, is then the browser's matter. */
  by: z.enum(["style", "script"]).optional(),
  /** The load event did not wait for it: what scripts fetch, media, what began or ended later. */
  beside: z.literal(true).optional(),
  /** The client gave its body up: a type that it does not take from another origin, say. */
  failed: z.literal(true).optional(),
});
export type RequestEvidence = z.infer<typeof request>;

/** Requests that shared a connection. */
const connection = z.strictObject({
  /** As the browser numbers it; 0 for what came over no connection; null where it does not tell: then a host's are one here. */
  id: z.int().nullable(),
  host: z.string(),
  /** "198.18.1.11:4432"; null where the browser does not tell. */
  address: z.string().nullable(),
  /** ALPN identifier, as the browser reports it. */
  protocol: z.string(),
  /** The `server` header of its responses, each once; null in version 2, which did not keep it. */
  software: z.array(z.string()).nullable(),
  /** What the client agreed to: the version of TLS, and the group of the key exchange, as the DevTools protocol has them. */
  tls: z.strictObject({ version: z.string(), group: z.string() }).optional(),
  requests: z.array(request),
});
export type ConnectionEvidence = z.infer<typeof connection>;

/** Of Navigation Timing (W3C), in the order in which they come. */
export const navigationMoments = [
  "connectStart",
  "connectEnd",
  "requestStart",
  "responseStart",
  "responseEnd",
  "domContentLoadedEventStart",
  "loadEventStart",
] as const;

/** That one of them which a client without a document does not have. */
export const documentMoment = "domContentLoadedEventStart";

/** An answer that the client had kept, and what its server had said of that: the `cache-control` header. */
const cachedAnswer = request
  .pick({ path: true, status: true, by: true, beside: true })
  .extend({ host: z.string(), caching: z.string() });
export type CachedAnswer = z.infer<typeof cachedAnswer>;

/** A request without an answer: what was asked for, and the client's words for why; "" while it is under way. */
const unanswered = z.strictObject({ url: z.string(), why: z.string(), beside: z.literal(true).optional() });
export type UnansweredRequest = z.infer<typeof unanswered>;

/** What a page took for the same work after the load, slowed down as in it, and not; the least of several tries. */
const slowdown = z.strictObject({ slowedMs: z.number().positive(), plainMs: z.number().positive() });
export type SlowdownEvidence = z.infer<typeof slowdown>;

/** What of the page was on the screen when, from navigation start (Paint Timing and Largest Contentful Paint, W3C). */
const paint = z.strictObject({ firstContentfulMs: z.number(), largestContentfulMs: z.number() });
export type PaintEvidence = z.infer<typeof paint>;

/** What the client says of a load. */
const clientEvidence = z.strictObject({
  /** How it names itself to servers; null in version 2. */
  userAgent: z.string().nullable(),
  /** Requests it sent, and those that failed; what came from a cache is none. */
  requests: count,
  failed: count,
  /** Responses that came from a cache. */
  fromCache: count,
  receivedBytes: z.number(),
  connections: z.array(connection),
  /** Those of its requests that nobody answered; absent when there are none. */
  unanswered: z.array(unanswered).optional(),
  /** What came from a cache; absent when nothing did. */
  cached: z.array(cachedAnswer).optional(),
  /** Where the page was to be slowed down. */
  slowdown: slowdown.optional(),
  /** Of a browser whose page showed anything. Not in every line of version 3. */
  paint: paint.optional(),
  /** Each of navigationMoments, from navigation start. */
  timing: z.record(z.string(), z.number()),
});
export type ClientEvidence = z.infer<typeof clientEvidence>;

/** What the client first said it has room for, bytes: in its SYN, and after it by the first ACK, where scaling counts. */
export const receiveWindow = z.strictObject({
  synBytes: count,
  ackBytes: count,
  mssBytes: count,
  /** The SYN's window scale option, an exponent of two (RFC 7323); null when it has none. Not in every line of version 3. */
  scale: count.nullable().optional(),
});
export type ReceiveWindow = z.infer<typeof receiveWindow>;

/**
 * Of the full segments of a connection's first answer: how many the client acknowledged at once and alone, and how many it let
 * wait for the next one or for its timer.
 */
export const firstAcks = z.strictObject({ atOnce: count, delayed: count });
export type FirstAcks = z.infer<typeof firstAcks>;

/** What a capture tells of a ServerHello. */
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

/** A full handshake, one that resumed a session, or none: an answer in the clear; "unknown" for what begins otherwise. */
const handshakeKind = z.enum(["full", "resumed", "none", "unknown"]);
export type HandshakeKind = z.infer<typeof handshakeKind>;

/** What a server's capture says of one connection. */
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
  /** From a request's last data segment to its answer's first, median: the server's processing. Not in every line of version 2. */
  turnMs: span.optional(),
  /** Segments more than the two it acknowledged that an acknowledgment let out, median; null where none did. Not in every line of version 3. */
  windowGrowth: z.number().nullable().optional(),
  /** By its socket; null when that was gone. */
  congestion: z.string().nullable(),
  /** Of answers in the clear: from their first segment to the last ACK of something new. Not in every line of version 3. */
  firstDataToLastAckMs: span.optional(),
});

/** A TCP connection, by both ends. */
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
  /** null when the handshake was not seen whole, and in version 2. */
  receiveWindow: receiveWindow.nullable(),
  /** Not in every line of version 3. */
  firstAcks: firstAcks.optional(),
  /** What its server saw; null for a connection that never reached it. */
  server: serverFlow.nullable(),
});
export type FlowEvidence = z.infer<typeof flow>;

const datagrams = z.strictObject({ datagrams: count, bytes: count });

/** What a server's capture says of one QUIC connection, all that is not encrypted; bytes of UDP's payload. */
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

/** A QUIC connection, by both ends. */
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
  /** From the first SYN, or QUIC's first datagram, to the first request, and from there to the last new data of a connection with requests; null in version 2. */
  synToRequestMs: span,
  requestToLastDataMs: span,
  /** Page load time by the definition of the Yahoo! paper (observe/flows.ts). */
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

export const processorEvidence = z.strictObject({
  cores: count,
  elapsedMs: z.number(),
  labMs: z.number(),
  /** By programs that are not the lab's. */
  otherMs: z.number(),
  stealMs: z.number(),
  /** In which a program that could run had to wait for a core (Pressure Stall Information); null without CONFIG_PSI. */
  waitMs: span,
  /** null on the virtual clock: a guest's kernel counts pages in batches, and the count differs from run to run. */
  labMemoryMiB: z.number().nullable(),
});
export type ProcessorEvidence = z.infer<typeof processorEvidence>;

/** All of it; of a load that broke, the parts that came before are there. */
export const evidenceSchema = clientEvidence.extend({
  version: z.literal([2, schemaVersion]),
  link: linkEvidence,
  packets: packetEvidence,
  /** Hosts whose TCP remembers earlier connections: there must be none. */
  metricsSaved: z.array(z.string()),
  /** Whether CUBIC's HyStart was on at all servers, or at none; null otherwise. Not in every line of version 3. */
  hystart: z.boolean().nullable().optional(),
  /** How many segments the client's kernel acknowledges at once before it delays; null where nothing can change it. Not in every line of version 3. */
  maxQuickacks: count.nullable().optional(),
  processor: processorEvidence,
  /** What each server knew of the client before the load, where its initial window follows from that. */
  known: z.array(knownClient).optional(),
  /** Parts of the lab that ended during the load, or while its evidence was gathered. Not in every line of version 2. */
  ended: z.array(z.string()).optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;
