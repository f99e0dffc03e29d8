/** How a browser finds out that a server supports HTTP/3, and how servers announce it. */
import { z } from "zod";

/**
 * - forced: by an option of the browser, so that its first connection already uses QUIC
 * - alt-svc: a response over HTTP/2 announces it (Alt-Svc, RFC 7838), in this load
 * - remembered: the same, in an earlier visit; the browser keeps the announcement, but no connection and no file
 */
export const discoveries = ["forced", "alt-svc", "remembered"] as const;
export type Discovery = (typeof discoveries)[number];

/** Over HTTP/3, servers always send it (RFC 7838): a browser that is forced to use QUIC requests only six objects at a time until it was sent. */
export const announcementHeader = "Alt-Svc";

/** The header's value that servers send: HTTP/3 at the same host's UDP port, for a day by default (RFC 7838, section 3.1). */
export const announcementOf = (port: number): string => `h3=":${port}"`;

/** The ALPN identifier of the protocol that a browser uses until a response has announced HTTP/3, over one connection to each host. */
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
 * The idle time after which a QUIC connection is closed: browsers have no option to close one. Both ends drop a connection that was idle for the
 * shorter of their two time-outs (RFC 9000, section 10.1): 30 s in Chromium (kIdleConnectionTimeout in quic_constants.h).
 */
export const quicIdleMs = 30_000;
