/** A static file server over HTTPS/1.1 and HTTP/2. Files are read into memory first: the pages are small and fixed. */
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import http2 from "node:http2";
import https from "node:https";
import { extname, join, relative } from "node:path";
import { become } from "../../hosts/rights.ts";
import { keyExchanges } from "../../schema/tls.ts";
import { mimeTypes } from "../mime-types.ts";
import type { ServerOptions } from "../software.ts";

const options = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as ServerOptions;
const files = new Map(
  readdirSync(options.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`/${relative(options.root, path)}`, readFileSync(path)]),
);

/** Only what was in the folder at the start exists: no path is ever opened for a request. */
function answer(request: Pick<IncomingMessage, "url" | "method">, response: Pick<ServerResponse, "writeHead" | "end">) {
  const url = request.url ?? "/";
  const file = files.get(url);
  if (!file || request.method !== "GET") return void response.writeHead(404).end();
  response.writeHead(200, {
    server: "node",
    "content-type": mimeTypes[extname(url)] ?? "application/octet-stream",
    "content-length": file.length,
  });
  response.end(file);
}

// A session cache in the client is of no use without tickets: every connection makes a full handshake.
const tls = {
  cert: readFileSync(options.certificate),
  key: readFileSync(options.key),
  ecdhCurve: keyExchanges[options.tls.keyExchange].openssl,
  minVersion: `TLSv${options.tls.version}` as const,
  maxVersion: `TLSv${options.tls.version}` as const,
  secureOptions: 1 << 14 /* SSL_OP_NO_TICKET */,
};
for (const { name, port } of options.protocols) {
  if (name === "h2")
    http2.createSecureServer(tls, (request, response) => answer(request, response as never)).listen(port);
  else
    https
      .createServer({ ...tls, keepAlive: true, keepAliveTimeout: 600_000 } as https.ServerOptions, answer)
      .listen(port);
}
become("server"); // only now: this code may lie where that user may not read it
