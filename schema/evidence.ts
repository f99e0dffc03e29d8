/** The evidence of one load, from the client, the network and the machine. Times are in milliseconds. */
import { z } from "zod";
import { backgroundEvidence } from "./background.ts";
import { earlierVisit } from "./discovery.ts";
import { knownClient } from "./known-client.ts";
import { linkEvidence } from "./link-evidence.ts";
import { packetEvidence } from "./packet-evidence.ts";

export * from "./link-evidence.ts";
export * from "./packet-evidence.ts";

const count = z.int().nonnegative();
const span = z.number().nullable();

/** The version of the records. It is part of the evidence, so that a judge knows which fields a record can have. */
export const schemaVersion = 4;

const request = z.strictObject({
  /** Without the query. For a recorded page, with host name and query: "//www.example.com/logo.png?v=2" (schema/recorded-names.ts). */
  path: z.string(),
  status: z.int(),
  /** Bytes received, with headers, after TLS (CDP encodedDataLength). */
  bytes: z.number(),
  /** Time since the first request; `endMs` is null if the last byte never arrived. */
  startMs: z.number(),
  endMs: span,
  /** When the client sent the request on a connection, and when the response's headers arrived; only browsers report these times. */
  sentMs: z.number().optional(),
  answeredMs: z.number().optional(),
  /** What requested the file, if not the markup. The browser decides whether it sends such a request before the load event. */
  initiator: z.enum(["style", "script"]).optional(),
  /** Set if the load event did not wait for the request: a script's fetch, media, or a request that began or ended after the load event. */
  nonBlocking: z.literal(true).optional(),
  /** The response's `content-encoding` header, if it has one. Since 2026-11-23. */
  encoding: z.string().optional(),
  /** The media type of the response, as the browser read it. Since 2026-11-30. */
  mediaType: z.string().optional(),
  /** The request's `priority` header (RFC 9218); only browsers send one, over HTTP/2 and HTTP/3. Since 2026-11-28. */
  priority: z.string().optional(),
  /** The client rejected the body, for instance because of its type and origin. */
  failed: z.literal(true).optional(),
});
export type RequestEvidence = z.infer<typeof request>;

const connection = z.strictObject({
  /** The browser's number for the connection; 0 for responses without a connection; null if unknown: then each host has one entry. */
  id: z.int().nullable(),
  host: z.string(),
  /** "198.18.1.11:4432"; null if the browser does not report it. */
  address: z.string().nullable(),
  /** ALPN identifier, as the browser reports it. */
  protocol: z.string(),
  /** The distinct `server` headers of its responses. */
  software: z.array(z.string()),
  /** The negotiated TLS version and key exchange group, in the words of the DevTools protocol. */
  tls: z.strictObject({ version: z.string(), group: z.string() }).optional(),
  /** The distinct `alt-svc` headers of its responses, which announce HTTP/3; absent if none has one. Since 2026-11-28. */
  altSvc: z.array(z.string()).optional(),
  requests: z.array(request),
});
export type ConnectionEvidence = z.infer<typeof connection>;

/** Times of Navigation Timing (W3C), in their order. */
export const navigationMoments = [
  "connectStart",
  "connectEnd",
  "requestStart",
  "responseStart",
  "responseEnd",
  "domContentLoadedEventStart",
  "loadEventStart",
] as const;

/** The only one of `navigationMoments` that clients without a browser do not report. */
export const documentMoment = "domContentLoadedEventStart";

/** A response from the client's cache, with its `cache-control` header. */
const cachedAnswer = request
  .pick({ path: true, status: true, initiator: true, nonBlocking: true })
  .extend({ host: z.string(), caching: z.string() });
export type CachedAnswer = z.infer<typeof cachedAnswer>;

/** A request without a response, and the client's reason; "" if the client was still waiting. */
const unanswered = z.strictObject({ url: z.string(), why: z.string(), nonBlocking: z.literal(true).optional() });
export type UnansweredRequest = z.infer<typeof unanswered>;

/** How long a fixed piece of work takes in the page after the load, with and without the load's throttling: the shortest of several rounds. */
const slowdown = z.strictObject({ slowedMs: z.number().positive(), plainMs: z.number().positive() });
export type SlowdownEvidence = z.infer<typeof slowdown>;

/** Paint times since navigation start (Paint Timing and Largest Contentful Paint, W3C). */
const paint = z.strictObject({
  firstContentfulMs: z.number(),
  /**
   * When the largest element was painted: earlier than `firstContentfulMs` only in records from before 2026-11-26 (Chromium counts spaces between
   * images as text). Absent if recording ended at its limit while content still came, or if nothing counts as largest: old records then lack `paint`.
   */
  largestContentfulMs: z.number().optional(),
  /** The same times from DevTools. The first one is not rounded, and the largest one is as Chromium reports it. Since 2026-11-26. */
  byProtocol: z
    .strictObject({
      firstContentfulMs: z.number(),
      largestMs: z.number().optional(),
      /** Present if the largest element is an image. `loadedMs`: when the browser had received all of it. */
      image: z.strictObject({ url: z.string(), loadedMs: z.number() }).optional(),
    })
    .optional(),
});
export type PaintEvidence = z.infer<typeof paint>;

export const dialogsSchema = z.array(
  z.strictObject({ type: z.enum(["alert", "confirm", "prompt", "beforeunload"]), text: z.string() }),
);
export type Dialogs = z.infer<typeof dialogsSchema>;

/** A limit, because a page with an error in a loop logs thousands of errors. */
export const mostConsoleErrors = 20;

const clientEvidence = z.strictObject({
  userAgent: z.string(),
  /** How many requests the client sent, without those answered from a cache, and how many failed. */
  requests: count,
  failed: count,
  fromCache: count,
  receivedBytes: z.number(),
  connections: z.array(connection),
  unanswered: z.array(unanswered).optional(),
  cached: z.array(cachedAnswer).optional(),
  /** What the earlier visit showed; present if the condition has an earlier visit over HTTP/3. Since 2026-11-28. */
  earlier: earlierVisit.optional(),
  /** Present if the condition throttles the CPU. */
  slowdown: slowdown.optional(),
  /** Present if a browser painted anything. */
  paint: paint.optional(),
  /**
   * The layout shifts of the page without its frames, until the recording ended, as Chromium scores them (https://web.dev/articles/cls): 0 if
   * nothing moved. Absent if the recording of paints was cut off, and for a browser without DevTools. Since 2026-11-27.
   */
  cumulativeLayoutShift: z.number().nonnegative().optional(),
  /** What ended recording: a quiet network (schema/procedure.ts) or a time-out after the load event; absent if that event did. Since 2026-11-26. */
  recordedUntil: z.enum(["quiet", "limit"]).optional(),
  /** The dialogs that the page opened, which the lab dismissed at once; absent if there were none. Since 2026-11-26. */
  dialogs: dialogsSchema.optional(),
  /** Errors that the page's console showed, except about requests: each text once, at most 200 characters. Absent if none. Since 2026-11-27. */
  consoleErrors: z.array(z.string()).max(mostConsoleErrors).optional(),
  /** Each of `navigationMoments`, since navigation start; for a browser also `loadEventEnd` (since 2026-11-26). */
  timing: z.record(z.string(), z.number()),
  /** When the load event had ended according to DevTools or WebDriver BiDi, since navigation start. Recorded since 2026-11-26. */
  loadedByProtocolMs: z.number().optional(),
});
export type ClientEvidence = z.infer<typeof clientEvidence>;

const pauses = z.strictObject({ longestMs: z.number(), totalMs: z.number() });
export type PauseEvidence = z.infer<typeof pauses>;

export const processorEvidence = z.strictObject({
  cores: count,
  elapsedMs: z.number(),
  labMs: z.number(),
  otherMs: z.number(),
  stealMs: z.number(),
  /** Time in which a program was ready but had to wait for a core (Pressure Stall Information); null without CONFIG_PSI. */
  waitMs: span,
  /** null on the virtual clock: a guest's kernel counts pages in batches, and the count differs from run to run. */
  labMemoryMiB: z.number().nullable(),
  /** When not even a real-time program ran (observe/pauses.ts); absent on the virtual clock, or if none is permitted. Since 2026-11-23. */
  pauses: pauses.optional(),
});
export type ProcessorEvidence = z.infer<typeof processorEvidence>;

/** The evidence of a load. If the load broke off, it has only the parts that were collected until then. */
export const evidenceSchema = clientEvidence.extend({
  version: z.literal(schemaVersion),
  link: linkEvidence,
  packets: packetEvidence,
  /** Background flows; absent if there were none. Since 2026-11-28. */
  background: backgroundEvidence.optional(),
  /** Hosts whose TCP saves metrics of earlier connections; must be empty. */
  metricsSaved: z.array(z.string()),
  /** true if CUBIC's HyStart was on at all servers, false if it was on at none, and null otherwise. */
  hystart: z.boolean().nullable(),
  /** How many segments the client's kernel acknowledges before it delays ACKs; null if the kernel has no parameter for it. */
  maxQuickacks: count.nullable(),
  /** How often the client's kernel retransmits a SYN before it doubles the time-out; null without a parameter for it. Since 2026-11-28. */
  synLinearTimeouts: count.nullable().optional(),
  /** Host -> the kernel parameters that the condition sets there, read when the load was over; absent if the condition sets none. */
  serverSysctls: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** Host -> the queueing discipline that the condition sets there, as tc prints it with all parameters after the load; absent if none. */
  serverQdiscs: z.record(z.string(), z.string()).optional(),
  /** Host -> the congestion controls that its server's log names for QUIC connections; absent if the log names none. Since 2026-11-28. */
  quicCongestion: z.record(z.string(), z.array(z.string())).optional(),
  /** Host -> the initial windows of QUIC connections in the server's log, in bytes. Hosts whose log has none are absent. Since 2026-11-28. */
  quicInitialBytes: z.record(z.string(), z.array(count)).optional(),
  processor: processorEvidence,
  /** What each server had recorded of the client before the load; present if the server chooses its initial window by these records. */
  known: z.array(knownClient).optional(),
  /** Parts of the lab that ended during the load, or while its evidence was gathered. */
  ended: z.array(z.string()),
});
export type Evidence = z.infer<typeof evidenceSchema>;
