import { writeFileSync } from "node:fs";
import { mimes } from "mrmime";
import { caching, documentEnding } from "../schema/caching.ts";
import type { Encoding } from "../schema/compression.ts";
import type { KeyExchange, Tls } from "../schema/tls.ts";
import { importedPath } from "../sites/paths.ts";
import type { Protocol } from "./protocols.ts";

/** A response header that lets a page use fonts and modules of another host. */
export const importedHeader = { name: "Access-Control-Allow-Origin", value: "*" } as const;
/** Media types by file name extension (upper or lower case), and the type of all other files. */
export const mediaTypes: Readonly<Record<string, string>> = mimes;
export const otherType = "application/octet-stream";
/** The extensions of each media type, for configurations that list extensions by type. */
export const endingsByType = new Map<string, string[]>();
for (const [ending, type] of Object.entries(mediaTypes))
  endingsByType.set(type, [...(endingsByType.get(type) ?? []), ending]);

/** Before its first load, a server is warmed by a request for a file of this generated page, or for the start file of an imported page. */
export const warmingPage = "A";
export const warmingPathOf = ({ imported }: Pick<ServerOptions, "imported">): string =>
  imported ? importedPath() : `/${warmingPage}/jquery.js`;

export const cachingOf = (file: string) => (file.endsWith(documentEnding) ? caching.document : caching.other);

export interface ServerOptions {
  /** The folder that is served: the URL path /A/img.jpg is the file `<root>/A/img.jpg`. It has all generated pages, or one imported page. */
  root: string;
  /**
   * Whether the folder has an imported page (sites/imported). Then every response, even a 404, has `importedHeader`, files have their
   * `mediaTypes`, and a path that ends with "/" means the folder's `startFile`.
   */
  imported: boolean;
  /** PEM files. */
  certificate: string;
  key: string;
  /** The certificates of a recorded page's hosts, in the order of `hosts` in the replay file (sites/recorded/replay-file.ts) in `root`. */
  replayed?: { certificate: string; key: string }[] | undefined;
  /** A folder for the server's files, deleted with the host. */
  scratch: string;
  /** The only TLS version and key exchange to accept. */
  tls: Tls;
  /** Whether responses have `caching.header`, whose value `cachingOf` computes from their path. */
  caching?: true | undefined;
  /** A folder for a qlog of each QUIC connection, for servers that write one. */
  qlogs?: string | undefined;
  /** The delay before each response, for servers with the ability `delays`. */
  thinkTimeMs?: number | undefined;
  /** The wait between the first `firstBurstBytes` of a response and the rest of the response, for servers with the ability `delays`. */
  backEndTimeMs?: number | undefined;
  /** Whether an imported page's responses have their recorded delays (`serverTimesFile`), for servers with the ability `delays`. */
  recordedTimes?: true | undefined;
  /** false: an HTTP/1.1 connection ends after its first response, for servers with the ability `closes`. */
  keepAlive?: false | undefined;
  /** Clients that accept this coding get an imported page's compressed copies, for files that have one (schema/compression.ts). */
  compression?: Encoding | undefined;
  /** The initial congestion window of QUIC connections, in packets of `quicPacketBytes`, for servers with the ability `quicWindow`. */
  quicWindow?: number | undefined;
  /** The congestion control of QUIC connections, for servers with `quicCongestion`. */
  quicCongestion?: string | undefined;
  /** Whether the port for HTTP/3 also accepts HTTP/2 over TCP, for servers with the ability `announces`. */
  announces?: true | undefined;
  /** Whether to send urgent responses first (RFC 9218), for servers with the ability `priorities`; absent for the server's default. */
  priorities?: "honoured" | "ignored" | undefined;
  protocols: Protocol[];
}

/**
 * What a server can do, in the words that messages use. An axis lists the abilities that a value needs (`needs` in axes/axis.ts).
 * For compression, axes read a server's `encodings` in a run's registries instead, because the registries of old runs lack abilities.
 */
export const abilities = {
  caching: "send caching headers that differ by path",
  delays: "wait before or in the middle of a response",
  closes: "close connections after a response",
  replays: "replay recorded pages",
  quicWindow: "begin QUIC connections with a configured initial window",
  earlyData: "accept early data (0-RTT)",
  announces: "announce HTTP/3 to clients that use HTTP/2",
  priorities: "be configured to honour or ignore the urgency of HTTP/3 requests",
  containsLinks: "refuse symbolic links that lead out of the pages' folder",
  gzip: "send texts compressed by gzip",
  br: "send texts compressed by Brotli",
  x25519: "be limited to the key exchange x25519",
  secp256r1: "be limited to the key exchange secp256r1",
  x25519mlkem768: "be limited to the key exchange x25519mlkem768",
} satisfies Record<string, string> & Record<Encoding | KeyExchange, string>;
export type Ability = keyof typeof abilities;

/** A server's congestion controls for QUIC. The kernel sets and reports only TCP's, so an option sets QUIC's, and the server's log reports it. */
export interface QuicCongestion {
  /** The server's controls, by their names in the axis `congestion`. */
  controls: readonly string[];
  /** Finds the controls of the server's connections, without repetition. @param log the server's stderr */
  usedIn(log: string): string[];
}

/**
 * A web server. To add a server, add a folder next to this file with a `server.ts` that exports `server`, and a `packages.txt` with the
 * server's Debian packages. Every server must
 * - serve every file under `root` on each protocol's port, and ignore queries;
 * - keep connections open, and respond to pipelined HTTP/1.1 requests in order;
 * - use the version and key exchange of `tls`, and resume TLS sessions by tickets only if `tls` has `resumption`.
 */
export interface ServerSoftware {
  title: string;
  /** The beginning of the `server` header of its responses. Loads cannot distinguish two servers with the same header. */
  header: string;
  /** The names of the protocols (protocols.yml) that it serves. */
  protocols: string[];
  /** A command that prints the program's build options; for each protocol that some builds lack, the text in the options of builds that have it. */
  builds?: { command: string[]; protocols: Readonly<Record<string, string>> };
  /** A script that builds its program, for servers without a Debian package (servers/made.ts). */
  make?: string;
  versionCommand: string[];
  /** The command that prints the version of OpenSSL that it uses, if any. This version determines the available key exchanges. */
  opensslCommand?: string[];
  /** What it can do in addition to what every server must do (above). */
  can: readonly Ability[];
  /** Finds the initial windows of QUIC connections, in bytes, without repetition, in the server's stderr; absent if it does not log them. */
  quicWindowsIn?(log: string): number[];
  /** The signal at which it completes its logs and ends; SIGTERM if absent. */
  endsAt?: "SIGINT";
  /** Present if its congestion control over QUIC can be set. */
  quicCongestion?: QuicCongestion;
  /** Writes its files into `scratch`. @returns the command that starts it in the foreground without privileges (hosts/rights.ts) */
  command(options: ServerOptions): string[];
}

/** Writes a configuration file into `scratch`. @returns the file's path */
export function writeConfiguration({ scratch }: ServerOptions, name: string, text: string): string {
  const file = `${scratch}/${name}`;
  writeFileSync(file, text);
  return file;
}
