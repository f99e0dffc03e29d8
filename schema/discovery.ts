import { z } from "zod";

/**
 * How the browser finds out in a load that a server supports HTTP/3:
 * - forced: by an option, so that its first connection already uses QUIC
 * - alt-svc: by a response over HTTP/2 in this load, which announces HTTP/3 (Alt-Svc, RFC 7838)
 * - remembered: by a response in an earlier visit; the browser keeps the announcement, but no connection and no file
 */
export const discoveries = ["forced", "alt-svc", "remembered"] as const;
export type Discovery = (typeof discoveries)[number];

/** Over HTTP/3, servers always send this header (RFC 7838). Until it arrives, a browser forced to use QUIC requests only six objects at a time. */
export const announcementHeader = "Alt-Svc";

/** Returns the header's value: HTTP/3 at this UDP port of the same host, for a day by default (RFC 7838, section 3.1). */
export const announcementOf = (port: number): string => `h3=":${port}"`;

/** The ALPN identifier of the protocol that a browser uses, over one connection to each host, until a response has announced HTTP/3. */
export const announcingAlpn = "h2";

/** HTTP/3's ALPN identifier (RFC 9114, section 3.1). */
export const http3Alpn = "h3";

/** What the earlier visit showed: how many responses came over each protocol (ALPN identifier), and their distinct Alt-Svc headers. */
export const earlierVisit = z.strictObject({
  responses: z.record(z.string(), z.int().nonnegative()),
  altSvc: z.array(z.string()),
});
export type EarlierVisit = z.infer<typeof earlierVisit>;

/**
 * Chromium's idle time-out for QUIC (kIdleConnectionTimeout in quic_constants.h). Both ends drop a connection that was idle for the shorter of
 * their two time-outs (RFC 9000, section 10.1). The lab waits until then, because browsers have no option to close a connection.
 */
export const quicIdleMs = 30_000;
