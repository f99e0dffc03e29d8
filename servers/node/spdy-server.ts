import { createServer, type TlsOptions } from "node:tls";
import type { Headers, Stream } from "spdy-transport";
import { type SpdyVersion, sayTogether, speakSpdy } from "../../clients/spdy-connection.ts";

/** As Node.js's own servers call theirs, as far as the lab's answers need it. */
type Answer = (
  request: { url: string; method: string; headers: Record<string, string> },
  response: { writeHead(status: number, headers: Headers): { end(): unknown }; end(body?: Buffer): unknown },
) => void;

/** A server of one version of SPDY, and of nothing else. */
export function createSpdyServer(alpn: SpdyVersion, tls: TlsOptions, answer: Answer) {
  return createServer({ ...tls, ALPNProtocols: [alpn], noDelay: true }, (socket) => {
    const connection = speakSpdy(socket, alpn, { isServer: true });
    connection.on("error", () => socket.destroy()); // a client ends its connections when it has what it wants
    connection.on("stream", (stream: Stream) => {
      stream.on("error", () => {});
      const end = (body?: Buffer) => stream.end(body);
      const writeHead = (status: number, headers: Headers) => {
        sayTogether(socket, (ready) => stream.respond(status, headers, ready));
        return { end };
      };
      answer({ url: stream.path, method: stream.method, headers: stream.headers }, { writeHead, end });
    });
  });
}
