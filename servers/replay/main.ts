/** Replays a recorded page over HTTP/1.1 (with and without TLS) and HTTP/2. nginx in front of this process speaks HTTP/3 (front.ts). */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { become } from "../../hosts/rights.ts";
import { announcementHeader, announcementOf } from "../../schema/discovery.ts";
import { BestMatch } from "../../sites/recorded/best-match.ts";
import { bodiesFolder } from "../../sites/recorded/recording.ts";
import { type Replayed, type ReplayFile, replayFile } from "../../sites/recorded/replay-file.ts";
import { withoutPrivateValues } from "../../sites/recorder/private-values.ts";
import { listenersFor, tlsOf } from "../node/listeners.ts";
import { type ServerOptions, writeConfiguration } from "../software.ts";
import { configuration } from "./front.ts";

const serverName = "replay";
/** The port from which nginx gets responses for HTTP/3. */
const behindPort = 10_001;
const defaultPort = 443;
const mostSentBytes = 50e6;

const options = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as ServerOptions;
/** The file with the recorded responses. It is missing if links are measured without a page. */
const recorded = join(options.root, replayFile);
const { hosts, responses }: ReplayFile = existsSync(recorded)
  ? JSON.parse(readFileSync(recorded, "utf8"))
  : { hosts: [], responses: [] };
const match = new BestMatch(responses);
const bodies = new Map(
  responses.flatMap(({ body }) =>
    body === undefined ? [] : [[body, readFileSync(join(options.root, bodiesFolder, body))] as const],
  ),
);

/** Returns the hash of a request's body; undefined if the request has no body. */
function sentHash(request: IncomingMessage): Promise<string | undefined> {
  if (request.method === "GET" || request.method === "HEAD") return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const hash = createHash("sha256");
    let bytes = 0;
    request.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > mostSentBytes) request.destroy();
      hash.update(part);
    });
    request.on("end", () => resolve(bytes === 0 ? undefined : hash.digest("hex")));
    request.on("error", reject);
  });
}

const nameIn = ({ headers }: IncomingMessage) => `${headers[":authority"] ?? headers.host ?? ""}`;

const withoutPort = (name: string) => name.replace(/:\d+$/, "");
const names = hosts.flat();
/** Finds the recorded name for a requested name. nginx removes ports, so a name without a port may match a recorded name with a port. */
const recordedName = (asked: string) =>
  names.includes(asked) ? asked : (names.find((name) => withoutPort(name) === asked) ?? asked);

function send(response: ServerResponse, found: Replayed | undefined, over: Record<string, string>): void {
  const body = found?.body === undefined ? undefined : bodies.get(found.body);
  const headers: Record<string, string> = { ...Object.fromEntries(found?.headers ?? []), server: serverName, ...over };
  if (body) headers["content-length"] = `${body.length}`;
  response.writeHead(found?.status ?? 404, headers).end(found?.method === "HEAD" ? undefined : body);
}

/** @param announces whether responses announce HTTP/3 at the recorded port, which clients map to the lab's port */
const answering = (announces: boolean) => async (request: IncomingMessage, response: ServerResponse) => {
  const name = recordedName(nameIn(request));
  const port = Number(/:(\d+)$/.exec(name)?.[1] ?? defaultPort);
  const over: Record<string, string> = announces ? { [announcementHeader]: announcementOf(port) } : {};
  const sent = await sentHash(request).catch(() => undefined);
  // Values that look private were replaced in the recorded URLs, but not in the bodies from which the page makes its requests.
  const path = withoutPrivateValues(`//${name}${request.url}`);
  const found = match.find({ method: request.method ?? "GET", path, sent });
  const delayMs = options.recordedTimes ? (found?.serverMs ?? 0) : (options.thinkTimeMs ?? 0);
  if (delayMs > 0) setTimeout(send, delayMs, response, found, over);
  else send(response, found, over);
};

/** Recorded host's name, without a port -> its certificate. */
const contexts = new Map<string, SecureContext>(
  (options.replayed ?? []).flatMap((files, i) => {
    const context = createSecureContext(tlsOf({ ...files, tls: options.tls }));
    return (hosts[i] ?? []).map((name) => [withoutPort(name), context] as const);
  }),
);

/** Starts nginx for HTTP/3. This process ends when nginx ends. */
function startFront(): void {
  const quic = options.protocols.find(({ transport }) => transport === "quic");
  if (!quic) return;
  listenersFor({}, answering(true)).h1c(behindPort);
  const file = writeConfiguration(
    options,
    "nginx.conf",
    configuration({ options, port: quic.port, hosts, behindPort }),
  );
  become("server");
  const child = spawn("nginx", ["-e", "stderr", "-c", file], { stdio: "inherit" });
  child.on("exit", () => process.exit(1));
  process.on("exit", () => child.kill());
  process.on("SIGTERM", () => process.exit(0));
}

const tls = {
  ...tlsOf(options),
  SNICallback: (name: string, done: (error: null, context?: SecureContext) => void) => done(null, contexts.get(name)),
};
const listeners: Record<string, (port: number) => unknown> = listenersFor(tls, answering(false));
for (const { name, port } of options.protocols) listeners[name]?.(port);
startFront();
become("server"); // last, because this Unix user may not be able to read the code
