/** An HTTP proxy that records every response as sent. DevTools shows only decoded bodies, and no body of some responses, such as damaged images. */
import { type EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { Agent } from "undici";
import type { LabError } from "../../schema/errors.ts";
import { parsedUrl } from "../../schema/parsed-url.ts";
import { mostRecordedBytes } from "../../sites/recorded/recording.ts";
import type { ProxyRequest, ProxyResponse } from "./browser-side.ts";
import type { OriginConnections } from "./origin-connections.ts";
import type { OwnCertificate } from "./own-certificate.ts";
import { ProxiedRequests } from "./proxied-requests.ts";

export interface RecordingProxy {
  port: number;
  requests: ProxiedRequests;
  close(): Promise<void>;
}

/** The largest number of connections to an origin. Browsers have the same limit over HTTP/1.1. */
const mostConnections = 6;
const mostHeaderBytes = 262_144;

/** The first byte of a TLS handshake's record (RFC 8446, section 5.1). */
const handshakeRecord = 0x16;

export async function openProxy(
  origins: OriginConnections,
  { key, cert }: OwnCertificate,
  onExcess: (error: LabError) => void,
): Promise<RecordingProxy> {
  const agent = new Agent({
    allowH2: true,
    connections: mostConnections,
    connect: origins.connect,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: mostHeaderBytes,
  });
  const requests = new ProxiedRequests(agent, onExcess);
  const answer = (scheme: string) => (request: ProxyRequest, response: ProxyResponse) => {
    const url = urlOf(request, scheme);
    if (url) void requests.answer(url, request, response);
    else response.writeHead(400).end();
  };
  // Bytes that the browser has not read yet stay in memory, and Node.js's default memory limit for an HTTP/2 session is only 10 MB.
  const limits = { maxHeaderListPairs: 1000, maxSessionMemory: mostRecordedBytes / 1e6 };
  const secure = createSecureServer({ key, cert, allowHTTP1: true, ...limits }, answer("https"));
  const plain = createServer({ maxHeaderSize: mostHeaderBytes, keepAliveTimeout: 0 }, answer("http"));
  const sockets = serveTunnels(plain, secure);
  for (const [scheme, server] of [
    ["https", secure],
    ["http", plain],
  ] as const) {
    server.on("clientError", (_: Error, socket: Socket) => socket.destroy());
    server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
      requests.sockets.push(urlOf(request, scheme)?.href ?? "a WebSocket");
      socket.end("HTTP/1.1 501 Not Implemented\r\ncontent-length: 0\r\n\r\n");
    });
  }
  secure.on("tlsClientError", () => {}).on("sessionError", () => {});
  plain.listen(0, "127.0.0.1");
  await once(plain, "listening");
  return {
    port: (plain.address() as AddressInfo).port,
    requests,
    async close() {
      plain.close();
      for (const socket of sockets) socket.destroy();
      await agent.destroy().catch(() => {});
    },
  };
}

/** Serves tunnels: in a tunnel, the proxy acts as the site, with TLS or (for WebSockets) without TLS. @returns all open connections */
function serveTunnels(plain: Server, secure: EventEmitter): Set<Socket> {
  const sockets = new Set<Socket>();
  plain.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  plain.on("connect", (_: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", () => {}); // the browser may go away at any time
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length) socket.unshift(head);
    socket.once("readable", () => {
      const first: Buffer | null = socket.read();
      if (!first) return;
      socket.unshift(first);
      (first[0] === handshakeRecord ? secure : plain).emit("connection", socket);
    });
  });
  return sockets;
}

/** A plain request to a proxy has the complete URL. A request in a tunnel has a path, and a header with the host. */
function urlOf(request: ProxyRequest, scheme: string): URL | null {
  const authority = request.headers[":authority"] ?? request.headers.host;
  const text = request.url?.startsWith("/") ? `${scheme}://${authority}${request.url}` : (request.url ?? "");
  return /^https?:/.test(text) ? parsedUrl(text) : null;
}
