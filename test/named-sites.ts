/** For tests: serves sites with several host names on loopback, with and without TLS. A recorder reaches them as if the names existed. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { after } from "node:test";
import type { Resolve } from "../clients/recorder/origin-connections.ts";
import { makeOwnCertificate } from "../clients/recorder/own-certificate.ts";

export type Answer = (url: URL, request: IncomingMessage, response: ServerResponse) => void;

/** Host names with the same address. Their certificate covers all of them, unless `covered` is given. */
export interface NamedHost {
  names: string[];
  covered?: string[];
  answer: Answer;
}

/** Serves the hosts until the test file ends. @returns a function that resolves their names, and no other name */
export async function serveNamed(hosts: readonly NamedHost[]): Promise<Resolve> {
  const ports = new Map<string, Record<number, number>>();
  for (const { names, covered = names, answer } of hosts) {
    const { key, cert } = await makeOwnCertificate(covered);
    const secure = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) =>
      answerAs("https", answer, request as unknown as IncomingMessage, response as unknown as ServerResponse),
    );
    const plain = createServer((request, response) => answerAs("http", answer, request, response));
    const own = { 443: await listening(secure), 80: await listening(plain) };
    for (const name of names) ports.set(name, own);
  }
  return (hostname, port) => {
    const own = ports.get(hostname)?.[port];
    const unknown = Object.assign(new Error(`no ${hostname}`), { code: "ENOTFOUND" });
    return own ? Promise.resolve([{ address: "127.0.0.1", port: own }]) : Promise.reject(unknown);
  };
}

function answerAs(scheme: string, answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  answer(
    new URL(request.url ?? "/", `${scheme}://${request.headers[":authority"] ?? request.headers.host}`),
    request,
    response,
  );
}

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends a response with this type and body, and with these other headers. */
export function send(
  response: ServerResponse,
  type: string,
  body: string | Buffer,
  headers: Record<string, string | string[]> = {},
): void {
  response.writeHead(200, { "content-type": type, ...headers });
  response.end(body);
}
