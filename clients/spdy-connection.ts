/**
 * SPDY over a connection with TLS, for both of its ends: the frames are spdy-transport's. (npm's `spdy` around them takes Node.js's
 * HTTP parser, which Node.js 15 took away.) Browsers agreed on SPDY by NPN, which Node.js has no more: here it is ALPN.
 */
import type { Duplex } from "node:stream";
import transport, { type Connection } from "spdy-transport";

/** How much more each end takes of a stream, and of all of them together: SPDY/2 has no flow control, and what it does not have is not to hold it back. */
const versions = {
  "spdy/2": { version: 2, windowBytes: 2 ** 31 - 1 },
  "spdy/3.1": { version: 3.1, windowBytes: 10 * 2 ** 20 },
} as const;

/** By its ALPN identifier. */
export type SpdyVersion = keyof typeof versions;
export const isSpdy = (alpn: string): alpn is SpdyVersion => alpn in versions;

/** Header blocks are deflated with the version's own dictionary, as both versions want it. */
export function speakSpdy(socket: Duplex, alpn: SpdyVersion, { isServer }: { isServer: boolean }): Connection {
  const { version, windowBytes: windowSize } = versions[alpn];
  const connection = transport.connection.create(socket, {
    protocol: "spdy",
    isServer,
    headerCompression: true,
    windowSize,
  });
  connection.start(version);
  return connection;
}

/**
 * Header blocks are deflated one after the other, each in its own time, and come in pieces: what an end says at one moment leaves together, as
 * HTTP/2's does, not as a TLS record a piece.
 * @param say calls back when its frame is ready to leave
 */
export function sayTogether(socket: Duplex, say: (ready: () => void) => void): void {
  socket.cork();
  say(() => setImmediate(() => socket.uncork()));
}
