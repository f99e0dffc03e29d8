import { createServer, type TlsOptions } from "node:tls";
import type { Headers, Stream } from "spdy-transport";
import { type SpdyVersion, sendTogether, speakSpdy } from "../../clients/spdy-connection.ts";

/** The part of Node.js's request listener that main.ts uses. */
type Answer = (
  request: { url: string; method: string; headers: Record<string, string> },
  response: { writeHead(status: number, headers: Headers): { end(): unknown }; end(body?: Buffer): unknown },
) => void;

export function createSpdyServer(alpn: SpdyVersion, tls: TlsOptions, answer: Answer) {
  return createServer({ ...tls, ALPNProtocols: [alpn], noDelay: true }, (socket) => {
    const connection = speakSpdy(socket, alpn, { isServer: true });
    connection.on("error", () => socket.destroy()); // a client resets its connections after a load
    connection.on("stream", (stream: Stream) => {
      stream.on("error", () => {});
      const end = (body?: Buffer) => stream.end(body);
      const writeHead = (status: number, headers: Headers) => {
        sendTogether(socket, (ready) => stream.respond(status, headers, ready));
        return { end };
      };
      answer({ url: stream.path, method: stream.method, headers: stream.headers }, { writeHead, end });
    });
  });
}
