/** A static file server over HTTP/1.1 (with and without TLS), HTTP/2 and SPDY. It reads all files into memory when it starts. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, extname, join, relative } from "node:path";
import { become } from "../../hosts/rights.ts";
import { caching } from "../../schema/caching.ts";
import { copyEndings } from "../../schema/compression.ts";
import { firstBurstBytes } from "../../schema/settings.ts";
import { serverTimesFile, startFile } from "../../sites/paths.ts";
import { cachingOf, importedHeader, mediaTypes, otherType, type ServerOptions } from "../software.ts";
import { listenersFor, tlsOf } from "./listeners.ts";
import { createSpdyServer } from "./spdy-server.ts";

const options = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as ServerOptions;
/** File contents by inode, so that a file with several names is in memory once. */
const contents = new Map<number, Buffer>();
function read(path: string): Buffer {
  const { ino } = statSync(path);
  const content = contents.get(ino) ?? readFileSync(path);
  contents.set(ino, content);
  return content;
}
const tagOf = (content: Buffer) => `"${createHash("sha256").update(content).digest("hex").slice(0, 16)}"`;
const files = new Map(
  readdirSync(options.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(options.root, path), read(path)]),
);
const shared = options.imported ? { [importedHeader.name.toLowerCase()]: importedHeader.value } : {};

/** Returns the path of the file that a URL requests; a folder's URL requests its start file. */
function fileOf(url = "/"): string {
  const [escaped = ""] = url.split("?");
  try {
    return decodeURIComponent(escaped)
      .slice(1)
      .replace(/(?<=^|\/)$/, startFile);
  } catch {
    return ""; // escapes that are not UTF-8
  }
}

function copyOf(path: string, accepted = "") {
  const { compression, imported } = options;
  if (!compression || !imported || !accepted.includes(compression)) return null;
  const content = files.get(path + copyEndings[compression]);
  return content ? { content, headers: { "content-encoding": compression, vary: "accept-encoding" } } : null;
}

/** Serves only files that were in the folder when the server started: it never opens a path from a request. */
function answerNow(
  request: Pick<IncomingMessage, "url" | "method" | "headers">,
  response: Pick<ServerResponse, "writeHead" | "write" | "end">,
) {
  const path = fileOf(request.url);
  const file = files.get(path);
  if (!file || request.method !== "GET") return void response.writeHead(404, { server: "node", ...shared }).end();
  const copy = copyOf(path, `${request.headers["accept-encoding"] ?? ""}`);
  const body = copy?.content ?? file;
  const keeping = options.caching ? { [caching.header.toLowerCase()]: cachingOf(path), etag: tagOf(body) } : {};
  if (keeping.etag && request.headers["if-none-match"] === keeping.etag)
    return void response.writeHead(304, { server: "node", ...keeping, ...shared }).end();
  response.writeHead(200, {
    server: "node",
    "content-type": mediaTypes[extname(path).slice(1).toLowerCase()] ?? otherType,
    "content-length": body.length,
    ...copy?.headers,
    ...keeping,
    ...shared,
  });
  const { backEndTimeMs } = options;
  if (!backEndTimeMs) return void response.end(body);
  response.write(body.subarray(0, firstBurstBytes));
  setTimeout(() => response.end(body.subarray(firstBurstBytes)), backEndTimeMs);
}

/** The recorded delay of each file of an imported page, ms. All variants of the page share `serverTimesFile`, which is in the page's folder. */
const recordedTimes = new Map<string, number>(
  options.imported && options.recordedTimes
    ? Object.entries(JSON.parse(readFileSync(join(dirname(options.root), serverTimesFile), "utf8")))
    : [],
);

const delayOf = (url: string | undefined): number => recordedTimes.get(fileOf(url)) ?? options.thinkTimeMs ?? 0;

const answer: typeof answerNow = (request, response) => {
  const delayMs = delayOf(request.url);
  if (delayMs > 0) setTimeout(answerNow, delayMs, request, response);
  else answerNow(request, response);
};

const tls = tlsOf(options);
const listeners: Record<string, (port: number) => unknown> = {
  ...listenersFor(tls, answer),
  spdy2: (port) => createSpdyServer("spdy/2", tls, answer as never).listen(port),
  "spdy3.1": (port) => createSpdyServer("spdy/3.1", tls, answer as never).listen(port),
};
for (const { name, port } of options.protocols) listeners[name]!(port);
become("server"); // last, because this Unix user may not be able to read the code
