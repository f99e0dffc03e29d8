import { mimes } from "mrmime";
import { importedRoot } from "../pages/paths.ts";
import { caching, documentEnding } from "../schema/caching.ts";
import type { KeyExchange, Tls } from "../schema/tls.ts";
import type { Protocol } from "./protocols.ts";

/** Below this path lies what somebody brought (pages/brought): there, and only there, the two following rules hold. */
export const importedPrefix = `/${importedRoot}/`;
/** One host's page may use another's fonts and modules. */
export const importedHeader = { name: "Access-Control-Allow-Origin", value: "*" } as const;
/** Types of the web's files, by what follows the last dot of a name, in any case; and of all others. */
export const mediaTypes: Readonly<Record<string, string>> = mimes;
export const otherType = "application/octet-stream";
/** The same for configurations that name the endings of each type. */
export const endingsByType = new Map<string, string[]>();
for (const [ending, type] of Object.entries(mediaTypes))
  endingsByType.set(type, [...(endingsByType.get(type) ?? []), ending]);

/** Of any page: what is asked for once and not counted, before a server's first load. */
export const warmingPage = "A";
export const warmingPath = `/${warmingPage}/jquery.js`;

/** What an answer says of being kept (schema/caching.ts). */
export const cachingOf = (path: string) => (path.endsWith(documentEnding) ? caching.document : caching.other);

/** What a server needs to know to serve the lab's pages. */
export interface ServerOptions {
  /** The folder of the pages: /A/img.jpg is `<root>/A/img.jpg`. */
  root: string;
  /** PEM files. */
  certificate: string;
  key: string;
  /** A folder of its own, gone when the host is. */
  scratch: string;
  /** Nothing else may be agreed on. */
  tls: Tls;
  /** Answers have `caching.header` with `cachingOf` their path; else nothing of the kind. */
  caching?: true | undefined;
  /** A folder for a qlog of each QUIC connection, where it can write one. */
  qlogs?: string | undefined;
  /** What it is to wait before it answers each request, where it can (`thinks`). */
  thinkTimeMs?: number | undefined;
  protocols: Protocol[];
}

/**
 * A web server. To add one: a folder beside this file with a `server.ts` that exports `server`, and a `packages.txt`
 * of its Debian packages. It must serve every file under `root` on each protocol's port, with persistent connections,
 * pipelined HTTP/1.1 requests answered in order, the version and key exchange of `tls`, and TLS resumption by tickets only where
 * `tls` has it. A query changes nothing. Below `importedPrefix` every answer, a 404 too, has `importedHeader`, and files have their `mediaTypes`.
 */
export interface ServerSoftware {
  title: string;
  /** What the `server` header of its responses begins with. Runs of two that have the same do not show which it was. */
  header: string;
  /** The names of the protocols (protocols.yml) it can serve. */
  protocols: string[];
  /** A script that makes its program, where no Debian package has it: asked for by name alone (servers/made.ts). */
  make?: string;
  /** Prints its version. */
  versionCommand: string[];
  /** Prints the version of the OpenSSL that it runs with, if it does: which key exchanges it has. */
  opensslCommand?: string[];
  /** The key exchanges that it can be told to make, if not all. */
  keyExchanges?: readonly KeyExchange[];
  /** It cannot say of some answers another thing than of others (`caching`). */
  cannotSayCaching?: true;
  /** It can wait before it answers (`thinkTimeMs`). */
  thinks?: true;
  /** It serves what symbolic links in the pages' folder lead to, and cannot be told not to. */
  followsLinks?: true;
  /** Write what it needs into `scratch` and say how to start it, in the foreground and without rights (hosts/rights.ts). */
  command(options: ServerOptions): string[];
}
