/** SPDY over TLS, for client and server. Browsers negotiated SPDY with NPN, which Node.js no longer has; the lab uses ALPN. */
import type { Duplex } from "node:stream";
import transport, { type Connection } from "spdy-transport";

/** The version, and the receive window of each stream and of the connection. SPDY/2 has no flow control, so its window must never fill up. */
const versions = {
  "spdy/2": { version: 2, windowBytes: 2 ** 31 - 1 },
  "spdy/3.1": { version: 3.1, windowBytes: 10 * 2 ** 20 },
} as const;

/** An ALPN identifier. */
export type SpdyVersion = keyof typeof versions;
export const isSpdy = (alpn: string): alpn is SpdyVersion => alpn in versions;

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
 * Sends simultaneous frames together. Otherwise each frame would be sent as several TLS records, because headers are compressed in pieces.
 * @param send calls back when its frame is ready to be sent
 */
export function sendTogether(socket: Duplex, send: (ready: () => void) => void): void {
  socket.cork();
  send(() => setImmediate(() => socket.uncork()));
}
