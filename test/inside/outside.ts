/** Paths that lead out of the folder of pages, and how a server answers them. */
import { once } from "node:events";
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import type { TLSSocket } from "node:tls";
import type { Connection } from "spdy-transport";
import { type SpdyVersion, speakSpdy } from "../../clients/spdy-connection.ts";
import { stateDirectory } from "../../hosts/control.ts";

const climbs = [
  "../",
  "%2e%2e/",
  "..%2f",
  "%2e%2e%2f",
  "%252e%252e%252f",
  "..%255c",
  "..\\",
  "..%5c",
  "....//",
  "..;/",
  "%c0%ae%c0%ae/",
  "..%00/",
];
/** In the request line an origin may precede the path. */
const origins = ["https://s1.lab", "http://localhost", "file://"];

export const outside = [
  ...climbs.flatMap((up) => [`/${up}outside.txt`, `/A/${up.repeat(2)}outside.txt`, `/A/${up.repeat(9)}etc/passwd`]),
  ...origins.flatMap((origin) => [
    `${origin}/../outside.txt`,
    `${origin}/etc/passwd`,
    `${origin}${stateDirectory}/outside.txt`,
  ]),
  "//etc/passwd",
  "/A//../../../../etc/passwd",
  "/A/.stamp.json/..",
  "/nothing.jpg",
  "/",
  "etc/passwd",
  "../outside.txt",
  "*",
  // Symbolic links that lead out of the site, created by servers.test.ts.
  "/linked/file",
  "/linked/folder/outside.txt",
  "/linked-folder/outside.txt",
  "/linked-etc/passwd",
];
/** A plain file next to the symbolic links. A server that finds this file could also find the links. */
export const inside = "/linked/inside.txt";

/** Requests paths over HTTP/2, where any text may be a path. @returns the status of each path; 0 if the server refused the stream */
export async function askOverHttp2(
  origin: string,
  open: () => Promise<TLSSocket>,
  paths: string[],
): Promise<Record<string, number>> {
  let session: ClientHttp2Session | null = null;
  const statuses: Record<string, number> = {};
  for (const path of paths) {
    if (!session || session.destroyed || session.closed) {
      const socket = await open();
      session = connect(origin, { createConnection: () => socket });
      session.on("error", () => {});
    }
    const stream = session.request({ ":path": path });
    const [headers] = (await once(stream, "response").catch(() => [])) as [{ ":status"?: number }?];
    statuses[path] = headers?.[":status"] ?? 0;
    stream.on("error", () => {}).close();
  }
  session?.destroy();
  return statuses;
}

/** Requests paths over SPDY. @returns the status of each path */
export async function askOverSpdy(
  alpn: SpdyVersion,
  host: string,
  open: () => Promise<TLSSocket>,
  paths: string[],
): Promise<Record<string, number>> {
  let socket: TLSSocket | null = null;
  let session: Connection | null = null;
  const statuses: Record<string, number> = {};
  for (const path of paths) {
    if (!session || !socket || socket.destroyed) {
      socket = await open();
      session = speakSpdy(socket, alpn, { isServer: false });
      session.on("error", () => {});
    }
    const priority = { parent: 0, weight: 1, exclusive: false } as const;
    const stream = session.request({ method: "GET", path, host, headers: {}, priority }, () => {});
    stream.on("error", () => {}).resume();
    const [status] = (await Promise.race([once(stream, "response"), once(stream, "close")]).catch(() => [])) as [
      unknown?,
    ];
    statuses[path] = typeof status === "number" ? status : 0;
  }
  socket?.destroy();
  return statuses;
}

/** Requests paths over HTTP/2. @returns the headers of each path's response */
export async function headersOverHttp2(
  origin: string,
  open: () => Promise<TLSSocket>,
  paths: string[],
): Promise<IncomingHttpHeaders[]> {
  const socket = await open();
  const session = connect(origin, { createConnection: () => socket });
  const headers = await Promise.all(
    paths.map(async (path) => {
      const stream = session.request({ ":path": path });
      const [answer] = (await once(stream, "response")) as [IncomingHttpHeaders];
      stream.close();
      return answer;
    }),
  );
  session.destroy();
  return headers;
}
