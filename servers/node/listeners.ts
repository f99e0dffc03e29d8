import { readFileSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import type { TlsOptions } from "node:tls";
import { keyExchanges } from "../../schema/tls.ts";
import type { ServerOptions } from "../software.ts";

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const noTicket = 1 << 14; // SSL_OP_NO_TICKET

/** Reads the files of the certificate and of its key, and returns Node.js's TLS options. */
export const tlsOf = ({ certificate, key, tls }: Pick<ServerOptions, "certificate" | "key" | "tls">) =>
  ({
    cert: readFileSync(certificate),
    key: readFileSync(key),
    ecdhCurve: keyExchanges[tls.keyExchange].openssl,
    minVersion: `TLSv${tls.version}`,
    maxVersion: `TLSv${tls.version}`,
    secureOptions: tls.resumption ? 0 : noTicket,
  }) as const satisfies TlsOptions;

const lasting = { keepAlive: true, keepAliveTimeout: 600_000 };

/** Returns, for each protocol, a function that starts a server at a port. */
export const listenersFor = (tls: TlsOptions, answer: Answer) => ({
  h1: (port: number) => https.createServer({ ...tls, ...lasting } as https.ServerOptions, answer).listen(port),
  h1c: (port: number) => http.createServer(lasting, answer).listen(port),
  h2: (port: number) =>
    http2.createSecureServer(tls, (request, response) => answer(request as never, response as never)).listen(port),
});
