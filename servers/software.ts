import type { Tls } from "../schema/tls.ts";
import type { Protocol } from "./protocols.ts";

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
  protocols: Protocol[];
}

/**
 * A web server. To add one: a folder beside this file with a `server.ts` that exports `server`, and a `packages.txt`
 * of its Debian packages. It must serve every file under `root` on each protocol's port, with
 * persistent connections, pipelined HTTP/1.1 requests answered in order, the version and key exchange of `tls`, and no TLS resumption.
 */
export interface ServerSoftware {
  title: string;
  /** What the `server` header of its responses begins with; no other server's does. */
  header: string;
  /** The names of the protocols (protocols.yml) it can serve. */
  protocols: string[];
  /** Prints its version. */
  versionCommand: string[];
  /** Prints the version of the OpenSSL that it runs with, if it does: which key exchanges it has. */
  opensslCommand?: string[];
  /** It serves what symbolic links in the pages' folder lead to, and cannot be told not to. */
  followsLinks?: true;
  /** Write what it needs into `scratch` and say how to start it, in the foreground and without rights (unprivileged.ts). */
  command(options: ServerOptions): string[];
}
